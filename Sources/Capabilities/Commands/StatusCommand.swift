import ArgumentParser
import ControlContract
import ControlLink
import ControlSocket
import Hub

/// `homegateway status`
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the open alarms, the state of the running gateway, and the remedy of each problem.",
        discussion: "The first line names the open alarm, if there is one.")

    @OptionGroup var gateway: GatewayOption

    @Flag(help: "Print the state as one JSON object, for programs.")
    var json = false

    @Flag(
        help:
            "Print the state at once, after each change and each second, as one JSON object a line, until Ctrl-C."
    )
    var follow = false

    func run() throws {
        if follow { return try stream() }
        let reply = try gateway.place.answer(to: .status)
        guard json else {
            for line in reply.lines { Shown.line(line) }
            return
        }
        guard case .snapshot(let snapshot) = reply.content else {
            throw ControlError("the gateway is of another version and gives no state for programs; restart it")
        }
        StandardStream.output.write(String(decoding: try ControlJSON.line(snapshot), as: UTF8.self))
    }

    private func stream() throws {
        do {
            var client = try gateway.place.client(limit: nil)
            try client.send(.follow)
            while let line = try client.nextLine() {
                guard StandardStream.output.write(String(decoding: line, as: UTF8.self)) else { return }
            }
            throw ControlError("the gateway has stopped")
        } catch let error as ControlError {
            SettingsOption.complain(error.description)
            throw ExitCode(1)
        }
    }
}
