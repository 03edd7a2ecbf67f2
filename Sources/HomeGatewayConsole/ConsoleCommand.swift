import ArgumentParser
import Console
import ConsoleAccess
import Contract
import ControlContract
import Foundation
import GatewayModel
import Web

/// `homegateway-console …`
@main
struct ConsoleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "homegateway-console", abstract: "Pages of the house for paired devices.",
        discussion:
            "A process of its own: nothing that a visitor does reaches the alarms but by the gateway's own decision.",
        subcommands: [Serve.self, Pair.self, Sessions.self, Revoke.self], defaultSubcommand: Serve.self)
}

struct StateOption: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("The console's state directory.", valueName: "folder"))
    var state = ConsoleServer.Settings().stateDirectory

    var files: ConsoleFiles { ConsoleFiles(directory: state) }
}

/// `homegateway-console serve`
struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serve the pages until the process is ended.")

    @Option(
        name: .long,
        help: ArgumentHelp(
            "An address with a port, once for each. Other addresses than those of this machine need a certificate.",
            valueName: "address:port"))
    var listen = ConsoleServer.Settings().addresses

    @Option(
        name: .long, help: ArgumentHelp("A name of this box in the house, once for each.", valueName: "name"))
    var name: [String] = []

    @Option(name: .long, help: ArgumentHelp("The gateway's socket for the console.", valueName: "file"))
    var socket = ConsoleServer.Settings().socket

    @Option(name: .long, help: ArgumentHelp("The certificate with its chain, PEM.", valueName: "file"))
    var certificate: String?

    @Option(name: .long, help: ArgumentHelp("Its private key, PEM.", valueName: "file"))
    var key: String?

    @Flag(name: .long, help: "Serve other addresses without TLS: anyone in the network can read and act.")
    var plain = false

    @OptionGroup var state: StateOption

    func validate() throws {
        guard (certificate == nil) == (key == nil) else {
            throw ValidationError("saw one of --certificate and --key, expected both or neither")
        }
        let isLoopback = listen.allSatisfy { $0.hasPrefix("127.") || $0.hasPrefix("[::1]:") }
        guard certificate != nil || plain || isLoopback else {
            throw ValidationError(
                "saw no certificate for \(listen.joined(separator: ", ")), expected --certificate and --key; --plain serves "
                    + "without TLS")
        }
    }

    func run() throws {
        var settings = ConsoleServer.Settings()
        (settings.addresses, settings.names, settings.socket) = (listen, name, socket)
        settings.stateDirectory = state.state
        if let certificate, let key {
            settings.identity = WebServer.Identity(
                key: try String(contentsOfFile: key, encoding: .utf8),
                certificate: try String(contentsOfFile: certificate, encoding: .utf8))
        }
        let scheme = settings.identity == nil ? "http" : "https"
        try ConsoleServer(settings).run { addresses in
            for address in addresses { print("pages at \(scheme)://\(address)/") }
            fflush(nil)
        }
    }
}

/// `homegateway-console pair`
struct Pair: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair", abstract: "Make a code with which one device pairs in the next 5 minutes.",
        discussion: "The device opens the page of the house and enters the code.")

    @Option(name: .long, help: "room, person, family, carer, installer, organiser.")
    var role: String

    @Option(name: .long, help: ArgumentHelp("The person, for the roles of a person.", valueName: "id"))
    var person: String?

    @Option(name: .long, help: "The name of the device or of its owner, for the record.")
    var name: String

    @OptionGroup var state: StateOption

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
        var generator = SystemRandomNumberGenerator()
        let code = PairingCode(using: &generator)
        do {
            try state.files.prepare()
            try state.files.write(.pair(code, ControlSession(role: role, person: id, name: name)))
        } catch let error as ControlError {
            throw ValidationError(error.description)
        }
        print("code: \(code.grouped), for 5 minutes and one device")
    }
}

/// `homegateway-console sessions`
struct Sessions: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "List the paired devices.")

    @OptionGroup var state: StateOption

    func run() throws {
        for paired in try state.files.sessions().sessions {
            let person = paired.session.person.map { " of \($0)" } ?? ""
            print(
                "\(paired.id.short)  \(paired.session.role.rawValue)\(person)  \(Shown.text(paired.session.name))  "
                    + "last seen \(paired.lastSeen.rfc3339)")
        }
    }
}

/// `homegateway-console revoke`
struct Revoke: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "End a paired device's session.")

    @Argument(help: "The beginning of the session's id, as `sessions` shows it.")
    var session: String

    @OptionGroup var state: StateOption

    func run() throws {
        guard try state.files.sessions().sessions.contains(where: { $0.id.short == session }) else {
            throw ValidationError(
                "saw '\(session)', expected the id of a session; see: homegateway-console sessions")
        }
        try state.files.write(.revoke(session))
        print("the session \(session) ends within a second, where the console runs")
    }
}
