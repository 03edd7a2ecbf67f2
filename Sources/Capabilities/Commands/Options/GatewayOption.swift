import ArgumentParser
import ControlContract
import ControlLink
import ControlSocket
import Hub
import Settings

/// Options of every command that only asks the running gateway.
struct GatewayOption: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The gateway's control socket. Default: $\(ControlClient.socketVariable), else "
                + "\(GatewaySettings.Gateway.standardControlSocket).", valueName: "file"))
    var socket: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A settings file that names the socket. It may contain mistakes.", valueName: "file"))
    var config: String?

    var place: GatewaySocket { GatewaySocket(named: socket, settings: config) }

    /// Asks the running gateway and prints its answer. Exit code 1 where the request was refused.
    ///
    /// - Parameters:
    ///   - request: The request; its error, for an option with an invalid value, is printed.
    ///   - limit: Time limit for the answer.
    ///   - advice: Remedy, for a command that must not fail in silence. Printed where no gateway answers.
    func ask(
        _ request: @autoclosure () throws(ControlError) -> some ControlVerb,
        within limit: Duration = .seconds(10), orElse advice: String? = nil
    ) throws {
        let reply = try place.answer(to: try request(), within: limit, orElse: advice)
        for line in reply.lines { Shown.line(line) }
    }

    /// As `ask`; prints one JSON document where `format` asks for it.
    func ask<Request: ControlVerb>(
        _ request: @autoclosure () throws(ControlError) -> Request, as format: JSONOption
    ) throws where Request.Document: Encodable {
        let reply = try place.answer(to: try request())
        try format.show(reply)
    }
}

/// Option of every command that reads: `--json`.
struct JSONOption: ParsableArguments {
    @Flag(help: "Print one JSON document, for programs.")
    var json = false

    func show(_ reply: ControlReply<some ControlDocument & Encodable>) throws {
        guard json else {
            for line in reply.lines { Shown.line(line) }
            return
        }
        guard let document = reply.document else {
            SettingsOption.complain(
                "the gateway is of another version and gives no data for programs; restart it")
            throw ExitCode(1)
        }
        try show(document)
    }

    /// Prints one document.
    func show(_ document: some Encodable & Sendable) throws {
        StandardStream.output.write(String(decoding: try ControlJSON.line(document), as: UTF8.self))
    }
}

extension GatewaySocket {
    /// Returns the gateway's answer. Exit code 1, with the reason on standard error, where the request was
    /// refused or no gateway answers.
    func answer<Request: ControlVerb>(
        to request: @autoclosure () throws(ControlError) -> Request,
        within limit: Duration = .seconds(10), orElse advice: String? = nil
    ) throws -> ControlReply<Request.Document> {
        let asked: Request
        do throws(ControlError) {
            asked = try request()
        } catch {
            SettingsOption.complain(error.description)
            throw ExitCode(1)
        }
        do {
            var client = try client(limit: limit)
            let reply = try client.ask(asked)
            guard reply.isDone else {
                for line in reply.lines { SettingsOption.complain(line) }
                throw ExitCode(1)
            }
            return reply
        } catch let error as ControlError {
            SettingsOption.complain(error.description)
            if let advice { SettingsOption.complain(advice) }
            throw ExitCode(1)
        }
    }
}

/// Option for the name in the record: `--by`.
struct WhoOption: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Your name, for the record. Default: the user who is logged in, also with sudo.", valueName: "name")
    )
    var by: String?

    var name: String {
        if let by, !by.isEmpty { return String(by.prefix(200)) }
        return AccountName.current
    }
}

/// Options that name an alarm.
struct AlarmOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The person whose alarm is meant, if several persons have one open.", valueName: "id"))
    var person: String?

    @Option(name: .long, help: ArgumentHelp("The alarm, by its id.", valueName: "id"))
    var alarm: String?

    func end(by caller: WhoOption) throws(ControlError) -> Verb.AlarmEnd {
        try Verb.AlarmEnd(alarm: alarm, person: person, by: caller.name)
    }
}
