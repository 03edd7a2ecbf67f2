import ArgumentParser
import ControlContract
import Hub

/// `homegateway link-code`
struct LinkCodeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link-code",
        abstract: "Make the code with which an account of TrackMe may ask to be linked to a person.",
        discussion: """
            The holder of the account types the house, the person and the code at
            TrackMe, on the page Links. The house then asks the person. The code works
            once, in the next 10 minutes. Five wrong codes, a newer code of the same
            person or a restart of the gateway void it. The screen of the room and the
            page of the person have a button for it.
            """)

    @OptionGroup var gateway: GatewayOption
    @OptionGroup var who: WhoOption

    @Argument(help: ArgumentHelp("The person, as the settings name it.", valueName: "person"))
    var person: String

    func run() throws {
        try gateway.ask(try Verb.LinkCode(person: person, by: who.name))
    }
}
