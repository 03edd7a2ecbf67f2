import ArgumentParser
import Hub
import SettingsService

/// `homegateway history …`
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show the readings that are kept in the house.",
        discussion: "Only the running gateway has the key, so it is asked. The output is personal data.",
        subcommands: [HistoryShow.self, HistoryRotateKey.self], defaultSubcommand: HistoryShow.self)
}

/// `homegateway history rotate-key`
struct HistoryRotateKey: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate-key",
        abstract: "Make a new key for the history, and encrypt everything with it.",
        discussion: """
            For a key that the gateway made itself. Change a key of your own in the
            settings: key_file and previous_key_file of [history].
            """)

    @OptionGroup var gateway: GatewayOption

    func run() throws {
        try gateway.ask(ControlRequest(.rotateHistoryKey))
    }
}
