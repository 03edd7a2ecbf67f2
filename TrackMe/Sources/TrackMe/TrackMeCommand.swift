import ArgumentParser

@main
struct TrackMeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trackme",
        abstract:
            "The cloud half of HomeGateway: receives the readings that houses release, and shows them to their persons."
    )
}
