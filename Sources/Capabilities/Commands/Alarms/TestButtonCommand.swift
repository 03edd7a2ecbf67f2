import ArgumentParser
import ControlContract
import Hub

/// `homegateway test-button`
struct TestButtonCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test-button",
        abstract: "Let the next press of a person's help button be a test.",
        discussion: """
            For two minutes the first press of each help button of the person is a test,
            and calls no help: it goes out marked as a test, and the house thanks for it.
            A second press, a press after the two minutes, and a call for help on a page
            are alarms. The test ends as soon as any alarm begins in the house, and is
            refused while an emergency is open.
            """)

    @OptionGroup var gateway: GatewayOption
    @OptionGroup var who: WhoOption

    @Option(name: .long, help: ArgumentHelp("The person who wears the button.", valueName: "id"))
    var person: String

    func run() throws {
        try gateway.ask(try Verb.TestButton(person: person, by: who.name))
    }
}
