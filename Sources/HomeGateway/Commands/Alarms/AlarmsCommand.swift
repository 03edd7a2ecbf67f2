import Alarms
import ArgumentParser
import Hub
import Settings
import Vault

/// `homegateway alarms …`
struct AlarmsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "alarms",
        abstract: "Show how every alarm went, and whether the promise was kept.",
        discussion: """
            Reads the record on the disk, whether the gateway runs or not. It holds
            personal data: only root and the gateway itself may read it.
            """,
        subcommands: [AlarmsList.self, AlarmsShow.self, AlarmsExport.self], defaultSubcommand: AlarmsList.self)
}

extension SettingsOption {
    /// The newest first. Exit code 1 where they cannot be read.
    func loadAlarms() throws -> [AlarmRecord] {
        let journal = AlarmJournal(of: try loadWithoutDevices().gateway)
        do throws(DiskFailure) {
            let (records, unreadable) = try journal.load()
            if unreadable > 0 {
                Self.complain("\(unreadable) lines of \(journal.path) cannot be read and are left out")
            }
            return records
        } catch {
            let advice = error.isForbidden ? "; only root may read it: sudo homegateway alarms" : ""
            Self.complain("\(error)\(advice)")
            throw ExitCode(1)
        }
    }
}
