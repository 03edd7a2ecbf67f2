import ArgumentParser

/// `homegateway history …`
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show what was measured, as long as it is kept in the house.",
        discussion: "Asks the running gateway, which alone has the key. It shows personal data.",
        subcommands: [HistoryShow.self, HistoryRotateKey.self], defaultSubcommand: HistoryShow.self)
}

/// `homegateway history rotate-key`
struct HistoryRotateKey: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate-key",
        abstract: "Have the gateway make a new key, and seal all that is kept anew with it.",
        discussion: """
            For a key that the gateway made itself. One that is given to it is changed
            in the settings: key_file and previous_key_file of [history].
            """)

    @OptionGroup var file: SettingsOption

    func run() throws {
        try file.ask(ControlRequest(.rotateHistoryKey))
    }
}
