import ArgumentParser

/// `homegateway exercise`
struct ExerciseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exercise",
        abstract: "Say that a person exercises: other limits on the pulse hold.",
        discussion: """
            Those of [person.sos.exercise] in the settings. The early warning score
            is not judged meanwhile. It ends by itself; --stop
            also ends what a run of their own has begun.
            """)

    @OptionGroup var file: SettingsOption
    @OptionGroup var who: WhoOption

    @Option(name: .long, help: ArgumentHelp("Who exercises.", valueName: "id"))
    var person: String

    @Option(name: .long, help: ArgumentHelp("For so long from now, 1 to 480.", valueName: "n"))
    var minutes: Int?

    @Flag(name: .long, help: "The person rests again.")
    var stop = false

    /// A day's hike; a longer one is a mistake that would leave the limits wide. A run has an end of its own.
    private static let longest = 480

    func validate() throws {
        guard (minutes != nil) != stop else {
            throw ValidationError("say for how long with --minutes N, or end it with --stop")
        }
        if let minutes, !(1...Self.longest).contains(minutes) {
            throw ValidationError("saw --minutes \(minutes), expected 1 to \(Self.longest)")
        }
    }

    func run() throws {
        try file.ask(ControlRequest(.exercise, by: who.name, person: person, minutes: minutes))
    }
}
