import ArgumentParser
import Consent
import GatewayModel
import Hub
import Settings
import Vault

/// `homegateway consent verify`
struct ConsentVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check that no decision was changed, removed, added or moved.",
        discussion: """
            Reads the ledger itself and changes nothing; the gateway may run or not. Exit
            code 1 where anything is not as the gateway wrote it. The number and the hash
            of the last entry stand in the receipts that the cloud keeps: compare them to
            see that the whole ledger was not exchanged.
            """)

    @OptionGroup var file: SettingsOption

    func run() throws {
        let directory = try file.loadWithoutDevices().gateway.stateDirectory
        try tell(report(of: directory))
    }

    private func report(of directory: String) throws -> LedgerReport {
        do throws(DiskFailure) {
            return try LedgerReport(of: directory)
        } catch {
            SettingsOption.complain(
                error.isForbidden ? "\(error); run it as root or as the gateway's user" : error.description)
            throw ExitCode.unavailable
        }
    }

    private func tell(_ report: LedgerReport) throws {
        for flaw in report.flaws { SettingsOption.complain("\(flaw)") }
        guard report.flaws.isEmpty else {
            SettingsOption.complain(
                "the ledger is not as the gateway wrote it; at its next start the gateway sets it aside, and sends "
                    + "nothing but calls for help until somebody accepts anew")
            throw ExitCode(1)
        }
        guard let mark = report.mark, let began = report.began else {
            return Shown.line("nothing was ever decided here")
        }
        Shown.line("\(report.entries.count) entries since \(began.inHouse), each as it was written")
        Shown.line("the last is number \(mark.sequence), SHA-256 \(mark.hash)")
        guard report.isTailTorn else { return }
        Shown.line("the last lines are in ledger.head only: the gateway puts them back at its next start")
    }
}
