import ArgumentParser
import Hub

/// `homegateway status`
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the open alarms, the state of the running gateway, and the remedy of each problem.",
        discussion: "The first line names the open alarm, if there is one.")

    @OptionGroup var gateway: GatewayOption

    func run() throws {
        try gateway.ask(.status)
    }
}
