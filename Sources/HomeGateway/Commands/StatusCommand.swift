import ArgumentParser

/// `homegateway status`
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Say how the running gateway is, and what to do about it.")

    @OptionGroup var file: SettingsOption

    func run() throws {
        try file.ask(ControlRequest(.status))
    }
}
