import ArgumentParser
import Hub
import Vault

/// `homegateway passings verify`
struct PassingsVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check that no passing was changed, removed, added or moved.",
        discussion: """
            Reads the log itself and changes nothing; the gateway may run or not. Exit code
            1 where anything is not as the gateway wrote it. Write down the number and the
            hash of the last line after the race: with them a log that was exchanged as a
            whole, or cut at its end, shows as well.
            """)

    /// Of a file that is none there is one in each line.
    private static let shown = 20

    @OptionGroup var file: SettingsOption

    func run() throws {
        let report = try file.loadPassings()
        for flaw in report.flaws.prefix(Self.shown) { SettingsOption.complain("\(flaw)") }
        let others = report.flaws.count - Self.shown
        if others > 0 { SettingsOption.complain("and \(others) more") }
        guard report.flaws.isEmpty else {
            SettingsOption.complain("the log of passings is not as the gateway wrote it")
            throw ExitCode(1)
        }
        guard let end = report.end else { return Shown.line("nothing was timed here") }
        Shown.line("\(report.records.count) passings, each as it was written")
        Shown.line("the last line is number \(end.sequence), SHA-256 \(end.hash)")
        guard report.torn > 0 else { return }
        Shown.line(
            "\(report.torn) bytes at the end are no whole line: it is being written, or the power was cut")
    }
}
