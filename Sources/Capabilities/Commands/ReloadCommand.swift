import ArgumentParser
import ControlContract
import Hub

/// `homegateway reload`
struct ReloadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Have the running gateway read its settings again.",
        discussion: """
            Persons, limits, contacts, channels, wearables and the broker change at
            once. Open alarms, their deadlines and the bonds of wearables stay. Settings
            that need a restart are named.

            Settings with any mistake change nothing; every mistake is printed, and the
            exit code is 1. The same: systemctl reload homegateway, or SIGHUP.
            """)

    @OptionGroup var gateway: GatewayOption

    func run() throws { try gateway.ask(Verb.ReloadSettings()) }
}
