import ArgumentParser
import ControlContract
import Hub
import Settings
import Vault

/// `homegateway alarms …`
struct AlarmsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "alarms",
        abstract: "Show the record of every alarm, and whether it kept the limits.",
        discussion: """
            Reads the record on the disk, whether the gateway runs or not. It holds
            personal data: only root and the gateway itself may read it.
            """,
        subcommands: [AlarmsList.self, AlarmsShow.self, AlarmsExport.self], defaultSubcommand: AlarmsList.self)
}

extension SettingsOption {
    /// Returns the records, the newest first. Exit code 1 where they cannot be read.
    func loadAlarms() throws -> [AlarmRecord] {
        let reader = StateReader(in: try loadWithoutDevices().gateway.stateDirectory)
        do throws(DiskFailure) {
            let (rows, unreadable) = try reader.rows(of: .alarmRecord)
            if unreadable > 0 {
                Self.complain("\(unreadable) records in \(reader.path) cannot be read and are left out")
            }
            return AlarmRecord.sorted(rows)
        } catch {
            let advice = error.isForbidden ? "; only root may read it: sudo homegateway alarms" : ""
            Self.complain("\(error)\(advice)")
            throw ExitCode(1)
        }
    }
}

/// `homegateway alarms list`
struct AlarmsList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "One line an alarm, the newest first.",
        discussion: """
            ALARM is the time from the confirmation to the alarm in the house, TOLD from the
            crossing until a machine outside had the first word of it, an early notice or the
            call; (!) where the limit was broken.
            --json prints the document of the verb `alarms` of the control socket.
            """)

    @OptionGroup var file: SettingsOption
    @OptionGroup var format: JSONOption

    func run() throws {
        let records = try file.loadAlarms()
        if format.json { return try format.show(AlarmHistory(records)) }
        guard !records.isEmpty else { return Shown.line("no alarm yet") }
        let heading = ["TIME", "PERSON", "CAUSE", "PRIORITY", "ALARM", "TOLD", "END", "ID"]
        let rows = records.map { record in
            [
                record.crossing, record.person, record.cause, record.priority, record.alarm.brief,
                record.handOver.brief, record.ending?.inWords ?? "OPEN", record.id,
            ]
        }
        for line in Shown.table([heading] + rows) { Shown.line(line) }
    }
}

/// `homegateway alarms show`
struct AlarmsShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the time line of one alarm, beside the limits of the promise.")

    @Argument(help: ArgumentHelp("The alarm's id, or its unique beginning.", valueName: "id"))
    var id: String

    @OptionGroup var file: SettingsOption
    @OptionGroup var format: JSONOption

    func run() throws {
        let meant = try file.loadAlarms().filter { $0.id.hasPrefix(id.lowercased()) }
        guard let record = meant.first, meant.count == 1 else {
            let seen = meant.isEmpty ? "no alarm" : "\(meant.count) alarms"
            SettingsOption.complain("\(seen) of the id '\(id)'; see: homegateway alarms")
            throw ExitCode(1)
        }
        if format.json { return Shown.line(ExportJSON.text(record)) }
        for line in record.timeLine { Shown.line(line) }
    }
}

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
        help: ArgumentHelp("Only alarms since then: 2026-03-01 or 2026-03-01T08:30, UTC.", valueName: "date"),
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

    /// Checks a date or time of RFC 3339, which sorts as text.
    static func date(_ text: String) throws -> String {
        let form = /\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?Z?)?/
        guard text.wholeMatch(of: form) != nil else {
            throw ValidationError("'\(text)' is no date; expected one such as 2026-03-01 or 2026-03-01T08:30")
        }
        return text.hasSuffix("Z") ? String(text.dropLast()) : text
    }
}

// Record of an alarm as text for a terminal. Names and reasons from outside are cleaned of control characters.
extension AlarmRecord {
    var timeLine: [String] {
        let about = device.map { ", by \($0)" } ?? ""
        let rows = steps.map { step in ["", "+\(step.afterMs) ms", step.at, step.inWords] }
        var lines = ["alarm \(id)", "\(cause) of \(person), priority \(priority)\(about)"]
        if isDrill { lines.append("a drill: nobody was in danger") }
        lines += Shown.table(rows)
        lines.append("limits")
        lines.append("  alarm in the house, from the confirmation: \(alarm.inWords)")
        lines.append("  first word handed over, from the crossing: \(handOver.inWords)")
        if restarts > 0 { lines.append("the gateway was restarted meanwhile: \(restarts)") }
        if isOverReboot {
            lines.append("the machine was restarted, too: later times do not include the time it was off")
        }
        return lines
    }
}

extension AlarmRecord.Step {
    var inWords: String {
        let channel = channel.map { " through \($0)" } ?? ""
        let text = text.map { Shown.text($0, most: 200) }
        return switch what {
        case .crossing: "crossing"
        case .confirmed: "confirmed"
        case .sounded: "alarm sounded in the house"
        case .called: "message given to \(self.channel ?? "-")"
        case .handedOver: "message handed over\(channel)"
        case .saidAllRight: "said to be all right by \(text ?? "-"); the call stood"
        case .hurried: "help was asked for at once by \(text ?? "-")"
        case .failed: "call failed\(channel): \(text ?? "-")"
        case .accepted: "accepted by \(text ?? "-")\(channel)"
        case .aborted: "aborted by \(text ?? "-")"
        case .resolved: "resolved by \(text ?? "-")"
        case .lapsed: "lapsed: nobody answered"
        }
    }
}

extension AlarmRecord.Measure {
    /// Time, with a mark where it is too late: `503 ms`.
    var brief: String {
        guard let measuredMs else { return isHeld == false ? "never (!)" : "-" }
        return "\(measuredMs) ms\(isHeld == false ? " (!)" : "")"
    }

    var inWords: String {
        let limit = "limit \(limitMs) ms"
        switch (measuredMs, isHeld) {
        case (nil, false?): return "it never was, \(limit): BROKEN"
        case (nil, _): return "not measured (\(limit))"
        case (let measuredMs?, let isHeld?):
            return "\(measuredMs) ms, \(limit): \(isHeld ? "held" : "BROKEN")"
        case (let measuredMs?, nil): return "\(measuredMs) ms (no limit: not an emergency, or not to be judged)"
        }
    }
}
