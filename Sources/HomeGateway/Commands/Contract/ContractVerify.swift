import ArgumentParser
import CloudCommands
import Hub

/// `homegateway contract verify`
struct ContractVerify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check receipts of a gateway, and show what they say.",
        discussion: """
            Reads receipts, one a line, and prints the claims of each that holds.
            Exit code: 1 where one does not.
            """)

    @Argument(help: ArgumentHelp("The receipts; standard input where left out.", valueName: "file"))
    var path: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The gateway's public key, of homegateway contract keys --jwks.", valueName: "file"))
    var key: String

    func run() async throws {
        let check = try await ContractInput.receiptCheck(key)
        var areAllGood = true
        for receipt in try ContractInput.lines(path) {
            do throws(CommandRefusal) {
                print(String(decoding: try check.claims(of: receipt), as: UTF8.self))
            } catch {
                SettingsOption.complain("\(error.reason.rawValue): \(error.detail)")
                areAllGood = false
            }
        }
        guard areAllGood else { throw ExitCode(1) }
    }
}
