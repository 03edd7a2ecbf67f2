import ArgumentParser
import Contract
import GatewayModel
import Groups
import SQLDatabase
import ServerSettings

/// `trackme groups`
struct GroupsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "groups",
        abstract: "Number of persons in figures of groups, and the weeks with published tables.")

    @OptionGroup var config: ConfigOption

    @Option(name: .long, help: "Weeks to list, the newest first.")
    var weeks = 53

    func validate() throws {
        guard (1...10_000).contains(weeks) else {
            throw ValidationError("weeks: saw \(weeks), expected 1 to 10000")
        }
    }

    func run() async throws {
        let settings = try config.load()
        let file = try settings.openDatabase()
        print("areas: \(settings.groups.areas.count)")
        print("rule: \(settings.groups.margin ? GroupRule.margin : .letter)")
        print("counted in: \(try await GroupMemberStore(file: file).memberCount())")
        for release in try await GroupReleaseStore(file: file).releases(most: weeks) {
            print("\(release.week)  published \(release.released.rfc3339)  \(release.rule.rawValue)")
        }
    }
}
