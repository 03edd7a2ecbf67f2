import Accounts
import ArgumentParser
import Contract
import GatewayModel
import PasswordHashing
import RealTime
import Settings
import Store
import StoreLite

/// `trackme accounts`
struct AccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts", abstract: "User names and roles of the accounts.",
        subcommands: [List.self, AddDispatcher.self, EndSessions.self], defaultSubcommand: List.self)

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

    struct AddDispatcher: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add-dispatcher", abstract: "Add an account for the emergency desk.",
            discussion:
                "Reads the password from the first line of the standard input. The houses hear the name.")

        @Argument(help: "The user name.")
        var user: String

        @Option(name: .long, help: "The person's name, which a house is told when the person takes its call.")
        var name: String

        @OptionGroup var config: ConfigOption

        func run() async throws {
            guard let user = UserName(user) else {
                throw ValidationError(
                    "user: saw '\(user)', expected 3 to 32 small letters, digits, '.', '_' and '-'")
            }
            guard let identity = Identity(name: name) else {
                throw ValidationError("name: expected 1 to \(Identity.nameLength) characters in one line")
            }
            let settings = try config.load()
            let password: Password
            do throws(Password.Fault) {
                password = try Password(chosen: readLine() ?? "", for: user)
            } catch {
                throw ValidationError(
                    "password: refused (\(error)); expected 12 characters or more that nobody guesses")
            }
            let stores = StoreLite.stores(in: try settings.openDatabase())
            let now = Clock.wall()
            do {
                _ = try await stores.accounts.add(
                    NewAccount(
                        user: user, hash: try await Argon2Hasher().hash(password),
                        identity: try Secrets(settings).sealer.seal(identity, of: user), role: .dispatcher,
                        language: .english,
                        agreement: AgreementConsent(version: AgreementConsent.currentVersion, at: now),
                        created: now))
            } catch StoreFault.nameTaken {
                throw ValidationError("user: '\(user)' is taken; choose another one")
            }
            print("added: \(user), dispatcher")
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
