import CSVTables
import ControlContract
import FoundationEssentials
import Vault

/// Records of alarms for other programs.
enum AlarmExport {
    static func json(_ records: [AlarmRecord]) -> String {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        // Texts, numbers and truths always encode.
        return String(decoding: (try? encoder.encode(records)) ?? Data(), as: UTF8.self)
    }

    static let columns = [
        "id", "person", "cause", "priority", "drill", "device", "crossing", "confirmed_ms", "sounded_ms",
        "called_ms", "called_through", "ended", "ended_ms", "by", "through", "alarm_ms", "alarm_limit_ms",
        "alarm_held", "handed_over_ms", "handed_over_limit_ms", "handed_over_held", "restarts",
        "over_reboot",
    ]

    /// The heading first.
    static func csv(_ records: [AlarmRecord]) -> [String] {
        ([columns] + records.map(fields)).map { CSVRow($0).line }
    }

    private static func fields(_ record: AlarmRecord) -> [String] {
        func after(_ what: AlarmRecord.Step.What) -> String {
            record.steps.first { $0.what == what }.map { "\($0.afterMs)" } ?? ""
        }
        let called = record.steps.filter { $0.what == .called }.compactMap(\.channel)
        let ending = record.ending
        return [
            record.id, record.person, record.cause, record.priority, "\(record.isDrill)", record.device ?? "",
            record.crossing, after(.confirmed), after(.sounded), after(.called),
            called.joined(separator: " "), ending?.what.rawValue ?? "", ending.map { "\($0.afterMs)" } ?? "",
            ending?.text ?? "", ending?.channel ?? "",
        ] + fields(record.alarm) + fields(record.handOver) + ["\(record.restarts)", "\(record.isOverReboot)"]
    }

    private static func fields(_ measure: AlarmRecord.Measure) -> [String] {
        [
            measure.measuredMs.map { "\($0)" } ?? "", "\(measure.limitMs)",
            measure.isHeld.map { "\($0)" } ?? "",
        ]
    }
}
