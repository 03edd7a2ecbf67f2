import ArgumentParser

/// `homegateway drill`
struct DrillCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drill",
        abstract: "Rehearse an emergency: the whole way to help, marked as a drill everywhere.",
        discussion: """
            The house is alarmed, and after the window the same channels are told as
            in an emergency. Tell those at the other end before. It can be cancelled,
            accepted and resolved like an alarm, and lapses when nobody answers.
            """)

    @OptionGroup var file: SettingsOption
    @OptionGroup var who: WhoOption

    @Option(name: .long, help: ArgumentHelp("Whose emergency is rehearsed.", valueName: "id"))
    var person: String

    func run() throws {
        try file.ask(ControlRequest(.drill, by: who.name, person: person))
    }
}
