import Accounts
import ArgumentParser
import Contract
import Store
import StoreLite

/// `trackme accounts`
struct AccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts", abstract: "User names and roles of the accounts.",
        subcommands: [List.self, EndSessions.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the accounts.")

        @OptionGroup var config: ConfigOption

        func run() async throws {
            let stores = StoreLite.stores(in: try config.load().openDatabase())
            for account in try await stores.accounts.accounts() {
                print("\(account.user)  \(account.role.rawValue)  since \(account.created.rfc3339)")
            }
        }
    }

    struct EndSessions: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "end-sessions", abstract: "Sign an account out of all browsers at once.")

        @Argument(help: "The user name.")
        var user: String

        @OptionGroup var config: ConfigOption

        func run() async throws {
            let stores = StoreLite.stores(in: try config.load().openDatabase())
            guard let name = UserName(user), let account = try await stores.accounts.account(named: name) else {
                throw ValidationError("user: saw '\(user)', expected one of trackme accounts list")
            }
            let sessions = try await stores.sessions.sessions(of: account.id)
            for session in sessions { try await stores.sessions.end(session.id) }
            print("ended: \(sessions.count) sessions")
        }
    }
}
