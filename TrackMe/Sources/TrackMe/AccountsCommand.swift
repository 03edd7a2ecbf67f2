import Accounts
import ArgumentParser
import Contract
import GatewayModel
import Houses
import PageSecurity
import RealTime
import SQLDatabase
import ServerSettings
import Store
import WebPages

/// `trackme accounts`
struct AccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts", abstract: "User names and roles of the accounts.",
        subcommands: [
            List.self, AddDispatcher.self, AddInstaller.self, JoinFleet.self, EndSessions.self, Disable.self,
            Enable.self, ResetPassword.self, Remove.self,
        ],
        defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the accounts.")

        @OptionGroup var config: ConfigOption

        func run() async throws {
            let stores = Stores(in: try config.load().openDatabase())
            let passkeys = try await stores.passkeys.counts()
            for account in try await stores.accounts.accounts() {
                let end = account.disabled.map { "  disabled \($0.rfc3339)" } ?? ""
                let keys = passkeys[account.id].map { "  passkeys \($0)" } ?? ""
                print(
                    "\(account.user)  \(account.role.rawValue)  since \(account.created.rfc3339)\(keys)\(end)")
            }
        }
    }

    /// Way by which an account gets a password.
    struct PasswordSource: ParsableArguments {
        @Flag(
            name: .long,
            help:
                "Print a link, with which the user chooses the password within three days, instead of reading a password."
        )
        var byLink = false

        /// The password of the operator; nil for an invitation.
        func read(for user: UserName) throws -> Password? { byLink ? nil : try Password(fromInputFor: user) }

        /// Hash of the password, or of a random one that nobody knows.
        static func hash(_ password: Password?, for user: UserName) async throws -> PasswordHash {
            try await Argon2Hasher().hash(
                try password ?? Password(chosen: RandomSecret().text, for: user), in: .registrations)
        }

        /// Replaces the password of an account by a link, and prints it.
        static func invite(
            _ user: UserName, _ id: AccountID, in stores: Stores, of settings: ServerSettings
        ) async throws {
            let now = Clock.wall()
            let invitation = Invitation(at: now)
            try await stores.accounts.invite(id, by: invitation, hash: try await hash(nil, for: user), at: now)
            print("link for \(user) alone, for one use until \(invitation.end.rfc3339):")
            print("\(try Secrets(settings).origin.text)/invitation/\(invitation.secret.text)")
        }
    }

    /// A new account for work.
    struct NewWorker: ParsableArguments {
        @Argument(help: "The user name.")
        var user: String

        @OptionGroup var source: PasswordSource

        @OptionGroup var config: ConfigOption

        /// - Parameters:
        ///   - name: of the person.
        ///   - join: puts the account into its place, before anybody can sign in to it by a link.
        func add(
            named name: String, as role: AccountRole,
            join: (AccountID, Stores) async throws -> Void = { _, _ in }
        ) async throws {
            guard let user = UserName(user) else {
                throw ValidationError(
                    "user: saw '\(user)', expected 3 to 32 small letters, digits, '.', '_' and '-'")
            }
            guard let identity = Identity(name: name) else {
                throw ValidationError("name: expected 1 to \(Identity.nameLength) characters in one line")
            }
            let settings = try config.load()
            let password = try source.read(for: user)
            let stores = Stores(in: try settings.openDatabase())
            let now = Clock.wall()
            do {
                let id = try await stores.accounts.add(
                    NewAccount(
                        user: user, hash: try await PasswordSource.hash(password, for: user),
                        identity: try Secrets(settings).sealer.seal(identity, of: user), role: role,
                        language: .english,
                        agreement: AgreementConsent(version: AgreementConsent.currentVersion, at: now),
                        created: now))
                try await join(id, stores)
                print("added: \(user), \(role.rawValue)")
                if password == nil { try await PasswordSource.invite(user, id, in: stores, of: settings) }
            } catch StoreFault.nameTaken {
                throw ValidationError("user: '\(user)' is taken; choose another one")
            }
        }
    }

    struct AddDispatcher: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add-dispatcher", abstract: "Add an account for the emergency desk.",
            discussion:
                "Reads the password from the first line of the standard input, or prints a link. The houses hear the name."
        )

        @OptionGroup var worker: NewWorker

        @Option(name: .long, help: "The person's name, which a house is told when the person takes its call.")
        var name: String

        func run() async throws { try await worker.add(named: name, as: .dispatcher) }
    }

    struct AddInstaller: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add-installer", abstract: "Add an account for the boxes of a fleet.",
            discussion:
                "Reads the password from the first line of the standard input, or prints a link. A fleet begins with its first installer."
        )

        @OptionGroup var worker: NewWorker

        @Option(name: .long, help: "The person's name.")
        var name: String

        @Option(name: .long, help: "The fleet: the name of the installers' company.")
        var fleet: String

        func run() async throws {
            let fleet = try FleetName(argument: fleet)
            try await worker.add(named: name, as: .installer) { try await $1.fleets.join($0, fleet) }
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
            let stores = Stores(in: try config.load().openDatabase())
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
            commandName: "end-sessions", abstract: "Sign an account out of all browsers at once.",
            discussion: "No browser is known to the account any more. Its passkeys stay and sign in.")

        @OptionGroup var known: KnownAccount

        func run() async throws {
            let (account, stores, _) = try await known.find()
            let sessions = try await stores.accounts.sessions(of: account.id)
            for session in sessions { try await stores.accounts.end(session.id) }
            try await stores.accounts.forgetBrowsers(of: account.id, except: nil)
            print("ended: \(sessions.count) sessions")
        }
    }

    /// An account that is there.
    struct KnownAccount: ParsableArguments {
        @Argument(help: "The user name.")
        var user: String

        @OptionGroup var config: ConfigOption

        func find() async throws -> (account: Account, stores: Stores, settings: ServerSettings) {
            let settings = try config.load()
            let stores = Stores(in: try settings.openDatabase())
            guard let name = UserName(user), let account = try await stores.accounts.account(named: name) else {
                throw ValidationError("user: saw '\(user)', expected one of trackme accounts list")
            }
            return (account, stores, settings)
        }
    }

    struct Disable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "disable",
            abstract: "Sign an account out of all browsers at once, and let nobody sign in to it.",
            discussion: "Its links, passkeys and data stay; trackme accounts enable lets the user in again.")

        @OptionGroup var known: KnownAccount

        func run() async throws {
            let (account, stores, _) = try await known.find()
            try await stores.accounts.disable(account.id, at: Clock.wall())
            print("disabled: \(account.user)")
        }
    }

    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "enable", abstract: "Let the user of a disabled account sign in again.")

        @OptionGroup var known: KnownAccount

        func run() async throws {
            let (account, stores, _) = try await known.find()
            try await stores.accounts.enable(account.id)
            print("enabled: \(account.user)")
        }
    }

    struct ResetPassword: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reset-password",
            abstract: "Give an account another password, remove its passkeys, and sign it out of all browsers.",
            discussion:
                "Reads the password from the first line of the standard input, or prints a link. Until the link is used nobody signs in."
        )

        @OptionGroup var known: KnownAccount

        @OptionGroup var source: PasswordSource

        func run() async throws {
            let (account, stores, settings) = try await known.find()
            if let password = try source.read(for: account.user) {
                try await stores.accounts.reset(
                    try await PasswordSource.hash(password, for: account.user), of: account.id,
                    at: Clock.wall())
            } else {
                guard account.disabled == nil else {
                    throw ValidationError(
                        "user: '\(account.user)' is disabled, and a link lets nobody in: trackme accounts enable \(account.user)"
                    )
                }
                try await PasswordSource.invite(account.user, account.id, in: stores, of: settings)
            }
            print("password reset, passkeys removed, sessions ended: \(account.user)")
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Delete an account as its user would, for ever.",
            discussion:
                "Its links are withdrawn in the houses. Readings of a person to whom no account is linked any more go with it."
        )

        @OptionGroup var known: KnownAccount

        func run() async throws {
            let (account, stores, settings) = try await known.find()
            let links = LinkService(
                links: stores.links, signer: try Secrets(settings).signer, issuer: settings.issuer,
                operatorName: settings.operatorName, clock: { Clock.wall() })
            try await links.remove(account.id, from: stores.accounts)
            // The housekeeping of the server tries again each minute.
            _ = try await stores.retention.emptyLog()
            print("removed: \(account.user)")
        }
    }
}

extension Password {
    /// Reads the first line of the standard input.
    ///
    /// - Throws: the observation and the expectation, in words for the operator.
    fileprivate init(fromInputFor user: UserName) throws {
        do throws(Password.Fault) {
            self = try Password(chosen: readLine() ?? "", for: user)
        } catch {
            throw ValidationError(
                "password: refused (\(error)); expected 12 characters or more that nobody guesses")
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
