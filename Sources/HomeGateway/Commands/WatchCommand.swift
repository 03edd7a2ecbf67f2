import ArgumentParser
import ControlSocket
import Hub

/// `homegateway watch`
struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Show readings, alarms and conditions as they occur, until Ctrl-C.",
        discussion: """
            For the installer in the house. It begins with the open alarms. It shows
            personal data, and sends none of it anywhere.
            """)

    @OptionGroup var gateway: GatewayOption

    @Flag(name: .long, help: "Print one JSON object a line, for programs.")
    var json = false

    func run() throws {
        do {
            var client = try gateway.place.client(limit: nil)
            try client.send(ControlRequest(.watch))
            while let line = try client.nextLine() { show(line) }
            SettingsOption.complain("the gateway has stopped")
            throw ExitCode(1)
        } catch let error as ControlError {
            SettingsOption.complain(error.description)
            throw ExitCode(1)
        }
    }

    private func show(_ line: [UInt8]) {
        if json {
            StandardStream.output.write(String(decoding: line, as: UTF8.self))
        } else if let event = try? ControlJSON.decode(FeedRecord.self, from: line) {
            StandardStream.output.write(WatchLine(event).description)
        }
    }
}
