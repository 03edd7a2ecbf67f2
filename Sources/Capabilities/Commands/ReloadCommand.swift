import ArgumentParser
import Hub

/// `homegateway reload`
struct ReloadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Have the running gateway read its settings again.",
        discussion: """
            Persons, limits, contacts, channels, wearables and the broker change at
            once. Open alarms, their deadlines and the bonds of wearables stay. What is
            read at a start only is named: it needs a restart.

            Settings with any mistake change nothing; every mistake is told, and the
            exit code is 1. The same: systemctl reload homegateway, or SIGHUP.
            """)

    @OptionGroup var gateway: GatewayOption

    func run() throws { try gateway.ask(.reloadSettings) }
}
