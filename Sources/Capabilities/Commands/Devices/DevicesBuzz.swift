import ArgumentParser
import ControlContract
import GatewayModel

/// `homegateway devices buzz`
struct DevicesBuzz: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "buzz",
        abstract: "Let a wearable buzz for 3 seconds, to see which one it is.",
        discussion: """
            The wearable has to be connected and to have the service Immediate Alert.
            While an alarm is open the alarm alone decides which wearables buzz.
            """)

    @Argument(help: ArgumentHelp("Its id.", valueName: "id"), transform: NameArgument.parse)
    var id: DeviceID

    @OptionGroup var who: WhoOption
    @OptionGroup var gateway: GatewayOption

    func run() throws {
        try gateway.ask(Verb.Buzz(id, by: who.name))
    }
}
