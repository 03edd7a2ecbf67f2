import ArgumentParser
import ControlContract
import ControlLink
import ControlSocket
import Hub
import Settings
import Vault

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

    @Flag(
        help:
            "Wait until no alarm is open, and print nothing: for a program that restarts the gateway. Exit code 1 if the gateway stops or does not answer."
    )
    var untilCalm = false

    func validate() throws {
        guard [json, follow, untilCalm].count(where: { $0 }) <= 1 else {
            throw ValidationError("Expected at most one of --json, --follow and --until-calm.")
        }
    }

    func run() throws {
        if follow {
            return try stream { StandardStream.output.write(String(decoding: $0, as: UTF8.self)) }
        }
        if untilCalm {
            return try stream { line in
                guard let house = try? ControlJSON.decode(HouseSnapshot.self, from: line) else {
                    throw ControlError(
                        "the gateway is of another version and gives no state for programs; restart it while no alarm is open: homegateway status"
                    )
                }
                return !house.alarms.isEmpty
            }
        }
        let reply = try gateway.place.answer(to: Verb.Status(), orElse: unfinishedRestore)
        guard json else {
            for line in reply.lines { Shown.line(line) }
            return
        }
        guard let snapshot = reply.document else {
            throw ControlError("the gateway is of another version and gives no state for programs; restart it")
        }
        StandardStream.output.write(String(decoding: try ControlJSON.line(snapshot), as: UTF8.self))
    }

    /// Hands over the state at once, after each change and each second, for as long as `take` returns true.
    private func stream(_ take: ([UInt8]) throws -> Bool) throws {
        do {
            var client = try gateway.place.client(limit: nil)
            try client.send(Verb.Follow())
            while let line = try client.nextLine() {
                guard try take(line) else { return }
            }
            throw ControlError("the gateway has stopped")
        } catch let error as ControlError {
            SettingsOption.complain(error.description)
            throw ExitCode(1)
        }
    }

    /// Reason for which a gateway does not start, where the caller may look into the state directory.
    private var unfinishedRestore: String? {
        RestoredState.warning(
            in: GatewaySettings.stateDirectory(of: gateway.config ?? GatewaySettings.standardFile))
    }
}
