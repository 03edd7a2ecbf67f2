import ArgumentParser
import Hub

/// `homegateway status`
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the open alarms, the state of the running gateway, and what to do about it.",
        discussion: "The first line names the open alarm, or says that there is none.")

    @OptionGroup var gateway: GatewayOption

    func run() throws {
        try gateway.ask(.status)
    }
}
