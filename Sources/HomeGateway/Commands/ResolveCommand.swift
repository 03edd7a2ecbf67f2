import ArgumentParser

/// `homegateway resolve`
struct ResolveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "End an alarm that was real and has been dealt with in the house.",
        discussion: """
            Everyone who was called is told. Without options it means the one alarm
            that is open.
            """)

    @OptionGroup var file: SettingsOption
    @OptionGroup var who: WhoOption
    @OptionGroup var which: AlarmOptions

    func run() throws {
        try file.ask(ControlRequest(.resolve, by: who.name, person: which.person, alarm: which.alarm))
    }
}
