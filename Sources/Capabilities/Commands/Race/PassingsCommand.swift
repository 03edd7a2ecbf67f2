import ArgumentParser
import ControlContract
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
        abstract: "Show, export, merge and verify the passings that this box has timed.",
        discussion: """
            Reads the log on the disk, whether the gateway runs or not. Nothing deletes
            from it. Passings from before the clock was set get their time from the clock
            marks that follow; the column told of the export holds their first time.

              homegateway passings export --run spring-10k --format csv > finish.csv
              homegateway passings merge finish.csv finish-backup.csv > results.csv
            """,
        subcommands: [PassingsList.self, PassingsExport.self, PassingsMerge.self, PassingsVerify.self],
        defaultSubcommand: PassingsList.self)

    enum Format: String, CaseIterable, ExpressibleByArgument {
        /// One line for each passing (RFC 4180).
        case csv
        /// An array of objects.
        case json

        /// Writes the rows to standard output. Exit code 74 where it does not take all of them: a part of a list looks
        /// like a whole one.
        func write(_ rows: [PassingRow]) throws {
            switch self {
            case .csv:
                for line in [PassingRow.columns] + rows.map(\.fields) {
                    try Self.write(line.joined(separator: ","))
                }
            case .json:
                // Row by row: a season holds many rows.
                guard let last = rows.indices.last else { return try Self.write("[]") }
                for (index, row) in rows.enumerated() {
                    try Self.write((index == 0 ? "[" : "") + ExportJSON.text(row) + (index == last ? "]" : ","))
                }
            }
        }

        private static func write(_ line: String) throws {
            guard !StandardStream.output.write(line) else { return }
            SettingsOption.complain(
                "the list is not complete: standard output accepts no more (\(String(cString: strerror(errno)))); "
                    + "write it to a disk with room")
            throw ExitCode(74)
        }
    }
}

extension SettingsOption {
    /// Returns the content of the log. Exit code 69 where it cannot be read.
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

extension SettingsOption {
    func loadCorrections() throws -> CorrectionLog.Report {
        let directory = try loadWithoutDevices().gateway.stateDirectory
        do throws(DiskFailure) {
            return try CorrectionLog.Report(of: directory)
        } catch {
            Self.complain(
                error.isForbidden ? "\(error); run it as root or as the gateway's user" : error.description)
            throw ExitCode.unavailable
        }
    }
}

extension PassingReport {
    /// Returns the passings of one run or of all runs with their present times, the oldest first.
    func rows(of run: RunID?) -> [PassingRow] {
        zip(records, passings).filter { run == nil || $1.run == run }.map { PassingRow($1, told: $0.passing) }
    }
}

/// `homegateway passings list`
struct PassingsList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "One line a passing, in the order they were timed.",
        discussion: """
            ORDER is empty where a passing does not count; the flags say why. The true time
            lies within BOUND of TIME in 95 of 100.
            """)

    @Option(
        name: .customLong("run"), help: ArgumentHelp("Only this run.", valueName: "id"),
        transform: NameArgument.parse)
    var only: RunID?

    @OptionGroup var file: SettingsOption
    @OptionGroup var format: JSONOption

    func run() throws {
        let report = try file.loadPassings()
        let rows = report.rows(of: only)
        if format.json { return try PassingsCommand.Format.json.write(rows) }
        guard !rows.isEmpty else {
            return Shown.line(only.map { "this box has timed no passing in \($0)" } ?? "nothing was timed here")
        }
        let heading = [
            "TIME", "BOUND", "RUN", "CHECKPOINT", "BIB", "ORDER", "METHOD", "CLOCK", "HITS", "RSSI", "FLAGS",
        ]
        let lines = rows.map { row in
            [
                row.time, row.bound.map { "\($0) ms" } ?? "unknown", row.run.text, row.checkpoint.text,
                "\(row.bib)", row.order.map { "\($0)" } ?? "", row.method.rawValue, row.clock.rawValue,
                "\(row.hits)", "\(row.rssi)", row.flags.map(\.rawValue).joined(separator: " "),
            ]
        }
        for line in Shown.table([heading] + lines) { Shown.line(line) }
        if !report.flaws.isEmpty {
            SettingsOption.complain(
                "the log was modified after it was written; see: homegateway passings verify")
        }
    }
}

/// `homegateway passings export`
struct PassingsExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write every passing to standard output, in the order they were timed."
    )

    @Option(name: .long, help: "csv (one line a passing) or json (an array of objects).")
    var format = PassingsCommand.Format.csv

    @Option(
        name: .customLong("run"), help: ArgumentHelp("Only this run.", valueName: "id"),
        transform: NameArgument.parse)
    var only: RunID?

    @OptionGroup var file: SettingsOption

    func run() throws {
        let report = try file.loadPassings()
        try format.write(report.rows(of: only))
        guard report.flaws.isEmpty else {
            SettingsOption.complain(
                "the log was modified after it was written; see: homegateway passings verify")
            throw ExitCode(1)
        }
    }
}

/// `homegateway passings merge`
struct PassingsMerge: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge", abstract: "Make one list of the exports of several boxes.",
        discussion: """
            Two passings of one bib at one checkpoint of one run, timed by different boxes,
            are one where their times lie within the sum of their bounds, or within 5 s. The
            one with the smaller bound counts; the other names it in backup_of. Where the
            boxes disagree, the column disputes names the fields: compare both. The order
            of the files makes no difference. A merged list may be merged again, with the
            export of another box.
            """)

    @Argument(help: ArgumentHelp("Exports, CSV or JSON.", valueName: "file"))
    var files: [String]

    @Option(name: .long, help: "csv (one line a passing) or json (an array of objects).")
    var format = PassingsCommand.Format.csv

    func validate() throws {
        guard files.count >= 2 else {
            throw ValidationError("give at least two exports to merge")
        }
    }

    func run() throws {
        var listed: [MergedPassing] = []
        var isUsable = true
        for file in files {
            do throws(PassingFile.Unusable) {
                listed += try PassingFile.read(file)
            } catch {
                SettingsOption.complain(error.description)
                isUsable = false
            }
        }
        guard isUsable else { throw ExitCode(1) }
        let merged = PassingMerge.merge(listed)
        try format.write(merged.map(PassingRow.init))
        let disputed = merged.count { $0.backupOf == nil && !$0.disputes.isEmpty }
        guard disputed > 0 else { return }
        SettingsOption.complain("of \(disputed) passings the boxes disagree: see the column disputes")
    }
}

/// `homegateway passings verify`
struct PassingsVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check that no passing was changed, removed, added or moved.",
        discussion: """
            Reads the log itself and changes nothing; the gateway may run or not. Exit code
            1 where a line was modified. Write down the number and the hash of the last
            line after the race: they also reveal a log that was replaced as a whole or cut
            at its end.
            """)

    /// Maximum number of mistakes to print: in a file of another kind each line is a mistake.
    private static let shown = 20

    @OptionGroup var file: SettingsOption

    func run() throws {
        let report = try file.loadPassings()
        for flaw in report.flaws.prefix(Self.shown) { SettingsOption.complain("\(flaw)") }
        let others = report.flaws.count - Self.shown
        if others > 0 { SettingsOption.complain("and \(others) more") }
        guard report.flaws.isEmpty else {
            SettingsOption.complain(
                "the log of passings was modified after it was written; compare it with the passings of another box"
            )
            throw ExitCode(1)
        }
        guard let end = report.end else { return Shown.line("nothing was timed here") }
        Shown.line("\(report.records.count) passings, each as it was written")
        Shown.line("the last line is number \(end.sequence), SHA-256 \(end.hash)")
        guard report.torn > 0 else { return }
        Shown.line(
            "\(report.torn) bytes at the end are no complete line: it is being written, or the power was cut")
    }
}
