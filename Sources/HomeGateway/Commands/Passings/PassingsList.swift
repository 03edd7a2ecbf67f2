import ArgumentParser
import GatewayModel
import Hub
import RunBeacon
import Vault

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
        transform: PassingsCommand.run)
    var only: RunID?

    @OptionGroup var file: SettingsOption

    func run() throws {
        let report = try file.loadPassings()
        let rows = report.rows(of: only)
        guard !rows.isEmpty else {
            return Shown.line(only.map { "nothing was timed in \($0) here" } ?? "nothing was timed here")
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
            SettingsOption.complain("the log is not as it was written; see: homegateway passings verify")
        }
    }
}
