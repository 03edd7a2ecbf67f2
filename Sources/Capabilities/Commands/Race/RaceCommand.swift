import ArgumentParser
import ControlContract
import Hub
import RunBeacon

/// `homegateway race`
struct RaceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "race", abstract: "Test the box at a checkpoint of a race, and correct its results.",
        discussion: "For the runs, see: homegateway runs. For the state of the box: homegateway status.",
        subcommands: [RaceSelfTest.self, RaceCorrect.self, RaceCorrectionList.self])
}

/// `homegateway race self-test`
struct RaceSelfTest: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "self-test",
        abstract: "Test whether the running gateway hears a tag beside the box.",
        discussion: """
            Hold one tag of the race within 3 m of the box, and name it as the start list
            does. The test takes 15 seconds at most, before or during a run.
            """)

    @OptionGroup var gateway: GatewayOption

    @Argument(
        help: ArgumentHelp(
            "The tag: its address, or ibeacon:…, eddystone:…, manufacturer:…, key-file:….", valueName: "tag"),
        transform: Self.tag)
    var tag: TagName

    private static func tag(_ text: String) throws -> TagName {
        do throws(TagIdentity.Flaw) {
            return try TagName(text)
        } catch {
            throw ValidationError("the tag cannot be used: \(error)")
        }
    }

    func run() throws {
        // The gateway listens for this time before it answers that it heard nothing.
        try gateway.ask(
            Verb.RaceSelfTest(tag), within: SelfTest.Rules().within + .seconds(10))
    }
}
