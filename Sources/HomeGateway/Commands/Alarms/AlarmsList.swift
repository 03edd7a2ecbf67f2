import ArgumentParser
import Hub
import Vault

/// `homegateway alarms list`
struct AlarmsList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "One line an alarm, the newest first.",
        discussion: """
            ALARM is the time from the confirmation to the alarm in the house, CALL from
            the crossing until a machine outside had the call; (!) where the limit was broken.
            """)

    @OptionGroup var file: SettingsOption

    func run() throws {
        let records = try file.loadAlarms()
        guard !records.isEmpty else { return Shown.line("no alarm yet") }
        let heading = ["TIME", "PERSON", "CAUSE", "PRIORITY", "ALARM", "CALL", "END", "ID"]
        let rows = records.map { record in
            [
                record.crossing, record.person, record.cause, record.priority, record.alarm.brief,
                record.handOver.brief, record.ending?.inWords ?? "OPEN", record.id,
            ]
        }
        for line in Shown.table([heading] + rows) { Shown.line(line) }
    }
}
