import ArgumentParser
import Hub
import Vault

/// `homegateway alarms export`
struct AlarmsExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write every alarm to standard output, the oldest first.")

    enum Format: String, CaseIterable, ExpressibleByArgument {
        /// An array of objects with every step.
        case json
        /// RFC 4180: one line an alarm.
        case csv
    }

    @Option(name: .long, help: "json (every step) or csv (one line an alarm).")
    var format = Format.json

    @Option(
        name: .long,
        help: ArgumentHelp("Only alarms from then on: 2026-03-01 or 2026-03-01T08:30, UTC.", valueName: "date"),
        transform: AlarmsExport.date)
    var since: String?

    @OptionGroup var file: SettingsOption

    func run() throws {
        let records = try file.loadAlarms().filter { $0.crossing >= since ?? "" }.reversed()
        switch format {
        case .json: Shown.line(AlarmExport.json(Array(records)))
        case .csv: for line in AlarmExport.csv(Array(records)) { Shown.line(line) }
        }
    }

    /// Of RFC 3339, which sorts as text.
    static func date(_ text: String) throws -> String {
        let form = /\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?Z?)?/
        guard text.wholeMatch(of: form) != nil else {
            throw ValidationError("'\(text)' is no date; expected one such as 2026-03-01 or 2026-03-01T08:30")
        }
        return text.hasSuffix("Z") ? String(text.dropLast()) : text
    }
}
