import ArgumentParser
import ControlContract
import Hub

/// `homegateway drill`
struct DrillCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drill",
        abstract: "Rehearse an emergency over every channel, marked as a drill.",
        discussion: """
            The house is alarmed. After the time to cancel, the same channels are called
            as in an emergency. Inform the people at the other end first. A drill can be
            cancelled, accepted and resolved like an alarm. Without an answer it ends by
            itself.
            """)

    @OptionGroup var gateway: GatewayOption
    @OptionGroup var who: WhoOption

    @Option(name: .long, help: ArgumentHelp("The person whose emergency is rehearsed.", valueName: "id"))
    var person: String

    func run() throws {
        try gateway.ask(try Verb.Drill(person: person, by: who.name))
    }
}
