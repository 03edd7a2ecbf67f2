import ArgumentParser

/// `homegateway abort`
struct AbortCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "abort",
        abstract: "Cancel an alarm: it was a false one.",
        discussion: """
            Within the window nobody is called. After it, everyone who was called
            is told that the call no longer holds. Without options it means the one
            alarm that is open.
            """)

    @OptionGroup var file: SettingsOption
    @OptionGroup var who: WhoOption
    @OptionGroup var which: AlarmOptions

    func run() throws {
        try file.ask(ControlRequest(.abort, by: who.name, person: which.person, alarm: which.alarm))
    }
}
