import ArgumentParser
import ControlContract
import Hub

/// `homegateway resolve`
struct ResolveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "End a real alarm that has been dealt with in the house.",
        discussion: """
            Everyone who was called is informed. Without options it ends the one open
            alarm. It needs no settings file: only the running gateway.
            """)

    @OptionGroup var gateway: GatewayOption
    @OptionGroup var who: WhoOption
    @OptionGroup var which: AlarmOptions

    private static let advice = """
        THE ALARM IS NOT ENDED, and help is called again and again. Press the button of the box, or tell those who \
        were called that the person is looked after.
        """

    func run() throws {
        try gateway.ask(Verb.Resolve(try which.end(by: who)), orElse: Self.advice)
    }
}
