package import ArgumentParser
import Console
import ConsoleAccess
import Contract
import ControlContract
import Foundation
import GatewayModel
import PageSecurity
import QRCodes
import Settings
import SettingsReading

/// `homegateway-console …`
package struct ConsoleCommand: ParsableCommand {
    /// Name of the link to the program by which the console is started.
    private static let name = "homegateway-console"

    package static let configuration = CommandConfiguration(
        commandName: name, abstract: "Pages of the house for paired devices.",
        discussion:
            "A process of its own: nothing that a visitor does reaches the alarms but by the gateway's own decision.",
        subcommands: [Serve.self, Check.self, Pair.self, Sessions.self, Revoke.self],
        defaultSubcommand: Serve.self)

    package init() {}

    /// Whether the program was started under the name of the console.
    ///
    /// - Parameter program: the first of the process's arguments.
    package static func isMeant(by program: String) -> Bool {
        program == name || program.hasSuffix("/" + name)
    }
}

struct ConfigOption: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("The console's settings file.", valueName: "file"))
    var config = ConsoleSettings.standardPath

    /// Reads the file. A mistake in it ends the command with its lines.
    func load() throws -> ConsoleSettings {
        do {
            return try ConsoleSettings(path: config)
        } catch {
            throw ValidationError(error.description)
        }
    }

    func files() throws -> ConsoleFiles { ConsoleFiles(directory: try load().stateDirectory) }
}

/// `homegateway-console serve`
struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serve the pages until the process is ended.")

    @OptionGroup var config: ConfigOption

    func run() throws {
        let settings = try config.load()
        for warning in settings.warnings { FileHandle.standardError.write(Data("\(warning)\n".utf8)) }
        let server = try ConsoleServer(settings)
        try server.run { addresses, metrics in
            for address in addresses { print("pages at \(settings.usesTLS ? "https" : "http")://\(address)/") }
            if let metrics { print("metrics at http://\(metrics)/metrics") }
            fflush(nil)
        }
    }
}

/// `homegateway-console check`
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check the settings, and say who can reach the pages.",
        discussion: "Changes nothing but the console's own certificate, which it makes where there is none.")

    @OptionGroup var config: ConfigOption

    func run() throws {
        let settings = try config.load()
        print("settings: sound (\(config.config))")
        for warning in settings.warnings { print("warning: \(warning)") }
        print("pages: \(ConsoleServer.origins(settings).joined(separator: ", "))")
        print(
            "reach: "
                + (settings.isLocal ? "this box alone" : "every device of the networks of these addresses"))
        print(
            "races: "
                + (settings.racePages
                    ? "everybody in this reach sees them without pairing; nothing of the household"
                    : "organisers alone, by pairing (race_pages = true opens them)"))
        print(
            "metrics: "
                + (settings.metrics.map { "every program of this box, at http://\($0)/metrics; no names" }
                    ?? "nobody (metrics = \"127.0.0.1:9765\" opens them to programs of this box)"))
        if let fingerprint = try ConsoleServer.fingerprint(settings) {
            print("certificate: SHA-256 \(fingerprint)")
        } else {
            print("certificate: none; the pages are not encrypted")
        }
        let paired = try config.files().sessions().sessions
        print("paired: \(paired.count) devices")
        print(
            "gateway: "
                + (ConsoleServer.isAnswered(settings)
                    ? "answers" : "does not answer at \(settings.gatewaySocket)"))
    }
}

/// `homegateway-console pair`
struct Pair: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair", abstract: "Make a code with which one device pairs in the next 5 minutes.",
        discussion: "Scan it with the device, or open the page of the house there and type the code.")

    @Option(name: .long, help: "room, person, family, carer, installer, organiser.")
    var role: String

    @Option(name: .long, help: ArgumentHelp("The person, for the roles of a person.", valueName: "id"))
    var person: String?

    @Option(name: .long, help: "The name of the device or of its owner, for the record.")
    var name: String

    @OptionGroup var config: ConfigOption

    func run() throws {
        let roles = ControlSession.Role.allCases.filter { $0 != .anyone }
        guard let role = roles.first(where: { $0.rawValue == role }) else {
            throw ValidationError(
                "--role: saw '\(role)', expected one of \(roles.map(\.rawValue).joined(separator: ", "))")
        }
        let id = person.flatMap { PersonID($0) }
        guard person == nil || id != nil else {
            throw ValidationError("--person: saw '\(person ?? "")', expected \(PersonID.form)")
        }
        guard id != nil || !role.isPersonal else {
            throw ValidationError(
                "--person is missing: the role \(role.rawValue) belongs to one person. Add --person ID.")
        }
        let settings = try config.load()
        try Self.checkLivesHere(id, settings)
        var generator = SystemRandomNumberGenerator()
        let code = OneTimeCode(of: .letters, using: &generator)
        do {
            let files = try config.files()
            try files.prepare()
            try files.write(.pair(code, ControlSession(role: role, person: id, name: name)))
        } catch let error as ControlError {
            throw ValidationError(error.description)
        }
        guard let place = ConsoleServer.pairingPlace(settings) else {
            print(
                "code: \(code.grouped), for 5 minutes, for a browser of this box alone, at "
                    + ConsoleServer.ownPairingPlace(settings))
            return print(
                settings.isLocal
                    ? "Other devices do not reach the pages: let them in by listen in \(config.config), then pair again."
                    : "This box has no address in a network: connect it, then pair again.")
        }
        print("code: \(code.grouped), for 5 minutes and one device, at \(place)")
        if isatty(STDOUT_FILENO) == 1 {
            for line in QRCode("\(place)#\(code)")?.lines ?? [] { print(line) }
        }
    }

    /// A device of a person who does not live here would show nothing, for ever.
    private static func checkLivesHere(_ id: PersonID?, _ settings: ConsoleSettings) throws {
        guard let id else { return }
        guard let persons = ConsoleServer.persons(settings) else {
            return FileHandle.standardError.write(
                Data("The gateway does not answer: it was not checked that '\(id)' lives here.\n".utf8))
        }
        guard persons.contains(id.text) else {
            throw ValidationError(
                "--person: saw '\(id)', expected a person of this house: \(persons.joined(separator: ", "))")
        }
    }
}

/// `homegateway-console sessions`
struct Sessions: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "List the paired devices.")

    @OptionGroup var config: ConfigOption

    func run() throws {
        for paired in try config.files().sessions().sessions {
            let person = paired.session.person.map { " of \($0)" } ?? ""
            print(
                "\(paired.id.short)  \(paired.session.role.rawValue)\(person)  \(Shown.text(paired.session.name))  "
                    + "last seen \(Self.local(paired.lastSeen))")
        }
    }

    /// In the time zone of the machine.
    private static func local(_ time: WallTime) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "yyyy-MM-dd HH:mm"
        return formatter.string(from: Date(timeIntervalSince1970: Double(time.millisecondsSince1970) / 1_000))
    }
}

/// `homegateway-console revoke`
struct Revoke: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "End a paired device's session.")

    @Argument(help: "The beginning of the session's id, as `sessions` shows it.")
    var session: String

    @OptionGroup var config: ConfigOption

    func run() throws {
        let files = try config.files()
        guard try files.sessions().sessions.contains(where: { $0.id.short == session }) else {
            throw ValidationError(
                "saw '\(session)', expected the id of a session; see: homegateway-console sessions")
        }
        try files.write(.revoke(session))
        print("the session \(session) ends within a second, where the console runs")
    }
}
