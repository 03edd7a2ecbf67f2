import ArgumentParser

/// `homegateway race`
struct RaceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "race", abstract: "The box at a checkpoint of a race: see that it hears.",
        discussion: "The runs are shown by: homegateway runs. How the box is: homegateway status.",
        subcommands: [RaceSelfTest.self])
}
