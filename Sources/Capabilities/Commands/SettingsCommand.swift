import ArgumentParser
import ControlContract
import Hub

/// `homegateway settings`
struct SettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "Show the settings that the running gateway uses, with their defaults.",
        discussion: """
            Personal values are shown by their length. Secrets are in files of their own,
            and are not shown. Values that a person has chosen are not here: see
            homegateway profile, limits and channels.
            """)

    @OptionGroup var gateway: GatewayOption

    @OptionGroup var format: JSONOption

    func run() throws { try gateway.ask(Verb.Settings(), as: format) }
}
