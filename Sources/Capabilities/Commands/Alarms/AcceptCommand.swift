import ArgumentParser
import ControlContract
import Hub

/// `homegateway accept`
struct AcceptCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept",
        abstract: "Take the call of an alarm: you look after the person.",
        discussion: """
            Nobody else is called, and every channel that was told hears of it. It counts
            only after somebody outside was told; before that, see homegateway abort.
            Without options it takes the one open alarm. It needs no settings file: only
            the running gateway.
            """)

    @OptionGroup var gateway: GatewayOption
    @OptionGroup var who: WhoOption
    @OptionGroup var which: AlarmOptions

    private static let advice = """
        THE CALL IS NOT TAKEN, and help is called on. Go to the person, and tell those who were called that you do.
        """

    func run() throws {
        try gateway.ask(Verb.AcceptAlarm(try which.end(by: who)), orElse: Self.advice)
    }
}
