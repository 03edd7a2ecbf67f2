import ArgumentParser
import ControlContract
import Hub

/// `homegateway call-help`
struct CallHelpCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "call-help",
        abstract: "Call help for a person now.",
        discussion: """
            The house is alarmed, and help is called at once through the person's
            channels: there is no time to cancel. In the time to cancel of an open
            emergency it ends that time. With --alarm it calls help after all for an alarm
            that was cancelled. It needs no settings file: only the running gateway.
            """)

    @OptionGroup var gateway: GatewayOption
    @OptionGroup var who: WhoOption

    @Option(name: .long, help: ArgumentHelp("The person who needs help.", valueName: "id"))
    var person: String?

    @Option(
        name: .long,
        help: ArgumentHelp("An alarm that was cancelled in the last ten minutes, by its id.", valueName: "id"))
    var alarm: String?

    private static let advice = """
        NOBODY IS CALLED. Telephone for help yourself: 112, or the number of your country.
        """

    func validate() throws {
        guard person != nil || alarm != nil else {
            throw ValidationError(
                "saw neither --person nor --alarm, expected one of them; name the person with --person ID")
        }
    }

    func run() throws {
        try gateway.ask(
            try Verb.CallHelp(person: person, alarm: alarm, by: who.name),
            orElse: Self.advice)
    }
}
