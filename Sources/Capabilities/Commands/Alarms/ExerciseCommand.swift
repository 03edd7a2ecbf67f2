import ArgumentParser
import ControlContract
import Hub

/// `homegateway exercise`
struct ExerciseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exercise",
        abstract: "Use the exercise limits for a person's pulse, for some time.",
        discussion: """
            The limits are those of [person.sos.exercise] in the settings. The early
            warning score is not judged during that time. It ends by itself, or with
            --stop, which also ends the limits of a run that the person takes part in.
            """)

    @OptionGroup var gateway: GatewayOption
    @OptionGroup var who: WhoOption

    @Option(name: .long, help: ArgumentHelp("The person who exercises.", valueName: "id"))
    var person: String

    @Option(name: .long, help: ArgumentHelp("Minutes from now, 1 to 480.", valueName: "n"))
    var minutes: Int?

    @Flag(name: .long, help: "End it now: the person rests again.")
    var stop = false

    /// A day's hike; a longer one is a mistake that would leave the limits wide. A run has an end of its own.
    private static let longest = 480

    func validate() throws {
        guard (minutes != nil) != stop else {
            throw ValidationError("give the time with --minutes N, or end it with --stop")
        }
        if let minutes, !(1...Self.longest).contains(minutes) {
            throw ValidationError("--minutes: saw \(minutes), expected 1 to \(Self.longest)")
        }
    }

    func run() throws {
        try gateway.ask(
            try Verb.Exercise(person: person, minutes: minutes, by: who.name))
    }
}
