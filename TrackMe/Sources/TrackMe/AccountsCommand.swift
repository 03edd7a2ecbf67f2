import Accounts
import ArgumentParser
import Contract
import GatewayModel
import PasswordHashing
import RealTime
import SQLDatabase
import Settings
import Store
import StoreLite

/// `trackme accounts`
struct AccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts", abstract: "User names and roles of the accounts.",
        subcommands: [List.self, AddDispatcher.self, AddInstaller.self, JoinFleet.self, EndSessions.self],
        defaultSubcommand: List.self)

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

    /// A new account for work, whose password is the first line of the standard input.
    struct NewWorker: ParsableArguments {
        @Argument(help: "The user name.")
        var user: String

        @OptionGroup var config: ConfigOption

        /// - Parameter name: of the person.
        /// - Returns: the account, with the stores that have it.
        func add(named name: String, as role: AccountRole) async throws -> (id: AccountID, stores: Stores) {
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
                let id = try await stores.accounts.add(
                    NewAccount(
                        user: user, hash: try await Argon2Hasher().hash(password),
                        identity: try Secrets(settings).sealer.seal(identity, of: user), role: role,
                        language: .english,
                        agreement: AgreementConsent(version: AgreementConsent.currentVersion, at: now),
                        created: now))
                print("added: \(user), \(role.rawValue)")
                return (id, stores)
            } catch StoreFault.nameTaken {
                throw ValidationError("user: '\(user)' is taken; choose another one")
            }
        }
    }

    struct AddDispatcher: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add-dispatcher", abstract: "Add an account for the emergency desk.",
            discussion:
                "Reads the password from the first line of the standard input. The houses hear the name.")

        @OptionGroup var worker: NewWorker

        @Option(name: .long, help: "The person's name, which a house is told when the person takes its call.")
        var name: String

        func run() async throws { _ = try await worker.add(named: name, as: .dispatcher) }
    }

    struct AddInstaller: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add-installer", abstract: "Add an account for the boxes of a fleet.",
            discussion:
                "Reads the password from the first line of the standard input. A fleet begins with its first installer."
        )

        @OptionGroup var worker: NewWorker

        @Option(name: .long, help: "The person's name.")
        var name: String

        @Option(name: .long, help: "The fleet: the name of the installers' company.")
        var fleet: String

        func run() async throws {
            let fleet = try FleetName(argument: fleet)
            let (id, stores) = try await worker.add(named: name, as: .installer)
            try await stores.fleets.join(id, fleet)
        }
    }

    struct JoinFleet: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "join-fleet", abstract: "Put the account of an installer into a fleet.",
            discussion: "It leaves the fleet it was in.")

        @Argument(help: "The user name.")
        var user: String

        @Option(name: .long, help: "The fleet: the name of the installers' company.")
        var fleet: String

        @OptionGroup var config: ConfigOption

        func run() async throws {
            let fleet = try FleetName(argument: fleet)
            let stores = StoreLite.stores(in: try config.load().openDatabase())
            guard let name = UserName(user), let account = try await stores.accounts.account(named: name),
                account.role == .installer
            else {
                throw ValidationError("user: saw '\(user)', expected an installer of trackme accounts list")
            }
            try await stores.fleets.join(account.id, fleet)
            print("joined: \(user), \(fleet)")
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

extension FleetName {
    /// - Throws: the observation and the expectation, in words for the operator.
    init(argument text: String) throws {
        guard let name = FleetName(text) else {
            throw ValidationError("fleet: saw '\(text)', expected \(FleetName.form)")
        }
        self = name
    }
}
