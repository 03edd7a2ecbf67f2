import ArgumentParser
import GatewayModel
import Glibc
import Hub
import RunBeacon
import Settings
import Vault

/// `homegateway passings …`
struct PassingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passings",
        abstract: "Show, export and merge what this box has timed, and prove it.",
        discussion: """
            Reads the log on the disk, whether the gateway runs or not. Nothing deletes
            from it. What was timed before the clock was set is dated by what the box has
            learned of it since; the export says so in the column told.

              homegateway passings export --run spring-10k --format csv > finish.csv
              homegateway passings merge finish.csv finish-backup.csv > results.csv
            """,
        subcommands: [PassingsList.self, PassingsExport.self, PassingsMerge.self, PassingsVerify.self],
        defaultSubcommand: PassingsList.self)

    enum Format: String, CaseIterable, ExpressibleByArgument {
        /// RFC 4180: one line a passing.
        case csv
        /// An array of objects.
        case json

        /// Exit code 74 where standard output does not take all of it: half a list looks like a whole one.
        func write(_ rows: [PassingRow]) throws {
            switch self {
            case .csv:
                for line in [PassingRow.columns] + rows.map(\.fields) {
                    try Self.write(line.joined(separator: ","))
                }
            case .json:
                // Row by row: a season is long.
                guard let last = rows.indices.last else { return try Self.write("[]") }
                for (index, row) in rows.enumerated() {
                    try Self.write((index == 0 ? "[" : "") + ExportJSON.text(row) + (index == last ? "]" : ","))
                }
            }
        }

        private static func write(_ line: String) throws {
            guard !StandardStream.output.write(line) else { return }
            SettingsOption.complain(
                "the list is not whole: standard output takes no more (\(String(cString: strerror(errno)))); "
                    + "write it where there is room")
            throw ExitCode(74)
        }
    }

    static func run(_ text: String) throws -> RunID {
        guard let run = RunID(text) else {
            throw ValidationError("'\(text)' is no run; expected \(RunID.form)")
        }
        return run
    }
}

extension SettingsOption {
    /// What the log says. Exit code 69 where it cannot be read.
    func loadPassings() throws -> PassingReport {
        let directory = try loadWithoutDevices().gateway.stateDirectory
        do throws(DiskFailure) {
            return try PassingReport(of: directory)
        } catch {
            Self.complain(
                error.isForbidden ? "\(error); run it as root or as the gateway's user" : error.description)
            throw ExitCode.unavailable
        }
    }
}

extension PassingReport {
    /// Of one run, or of all; as they are told now, oldest first.
    func rows(of run: RunID?) -> [PassingRow] {
        zip(records, passings).filter { run == nil || $1.run == run }.map { PassingRow($1, told: $0.passing) }
    }
}
