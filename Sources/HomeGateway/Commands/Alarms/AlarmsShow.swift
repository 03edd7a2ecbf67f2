import ArgumentParser
import Hub
import Vault

/// `homegateway alarms show`
struct AlarmsShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the time line of one alarm, beside the limits of the promise.")

    @Argument(help: ArgumentHelp("The alarm's id, or as much of it as tells it apart.", valueName: "id"))
    var id: String

    @OptionGroup var file: SettingsOption

    func run() throws {
        let meant = try file.loadAlarms().filter { $0.id.hasPrefix(id.lowercased()) }
        guard let record = meant.first, meant.count == 1 else {
            let seen = meant.isEmpty ? "no alarm" : "\(meant.count) alarms"
            SettingsOption.complain("\(seen) of the id '\(id)'; see: homegateway alarms")
            throw ExitCode(1)
        }
        for line in record.timeLine { Shown.line(line) }
    }
}
