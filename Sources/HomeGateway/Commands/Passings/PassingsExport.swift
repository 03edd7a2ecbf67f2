import ArgumentParser
import GatewayModel
import Hub
import Vault

/// `homegateway passings export`
struct PassingsExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write every passing to standard output, in the order they were timed."
    )

    @Option(name: .long, help: "csv (one line a passing) or json (an array of objects).")
    var format = PassingsCommand.Format.csv

    @Option(
        name: .customLong("run"), help: ArgumentHelp("Only this run.", valueName: "id"),
        transform: PassingsCommand.run)
    var only: RunID?

    @OptionGroup var file: SettingsOption

    func run() throws {
        let report = try file.loadPassings()
        try format.write(report.rows(of: only))
        guard report.flaws.isEmpty else {
            SettingsOption.complain("the log is not as it was written; see: homegateway passings verify")
            throw ExitCode(1)
        }
    }
}
