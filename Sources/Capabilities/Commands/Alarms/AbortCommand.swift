import ArgumentParser
import ControlContract
import Hub

/// `homegateway abort`
struct AbortCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "abort",
        abstract: "Cancel a false alarm.",
        discussion: """
            In the time to cancel, it keeps help from being called. Afterwards, everyone
            who was called is told that the call no longer holds. Without options it cancels the one
            open alarm. It needs no settings file: only the running gateway.
            """)

    @OptionGroup var gateway: GatewayOption
    @OptionGroup var who: WhoOption
    @OptionGroup var which: AlarmOptions

    private static let advice = """
        THE ALARM IS NOT CANCELLED. Press the button of the box, or the cancel button of the wearable. Otherwise \
        help is called: tell those who call back that it was a false alarm.
        """

    func run() throws {
        try gateway.ask(Verb.Abort(try which.end(by: who)), orElse: Self.advice)
    }
}
