import ArgumentParser
import ServerSettings
import SettingsReading

/// `trackme …`
@main
struct TrackMeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trackme",
        abstract:
            "The cloud half of HomeGateway: keeps the readings that houses release, and shows them to their persons.",
        // That of debian/changelog: both halves are released together.
        version: "trackme 0.1.0",
        subcommands: [
            Serve.self, Check.self, Keys.self, Houses.self, AccountsCommand.self, PartiesCommand.self,
            GroupsCommand.self, Backup.self,
        ])
}

struct ConfigOption: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("The settings file.", valueName: "file"))
    var config = ServerSettings.standardPath

    /// Reads the file. A mistake in it ends the command with its lines.
    func load() throws -> ServerSettings {
        do {
            return try ServerSettings(path: config)
        } catch {
            throw ValidationError(error.description)
        }
    }
}
