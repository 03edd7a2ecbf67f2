package import Consent
package import ControlContract
import FoundationEssentials
package import GatewayModel

/// Data about a person besides their readings, collected from the capabilities for an export.
package struct PersonData: Sendable {
    /// Entries of the consent ledger.
    package var decisions: [ConsentEntry] = []
    package var alarms: [AlarmRecord] = []
    package var devices: [MyDataPage.Device] = []
    /// Number of unsent messages; nil where the disk fails.
    package var unsent: Int?
    package var isHistoryKept = false
    /// Tables in the order in which they were added; each becomes a file of the export.
    package private(set) var tables: [PersonTable] = []

    package init() {}

    /// Adds the table `name`, a file name without its suffix.
    package mutating func add(_ name: String, _ rows: [some Encodable]) {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Texts and finite numbers always encode.
        let lines = rows.compactMap { try? encoder.encode($0) }.map { String(decoding: $0, as: UTF8.self) }
        tables.append(PersonTable(name: name, rows: lines))
    }
}

/// Failure for which a person's data cannot be shown; a sentence for the person.
package struct PersonDataFailure: Error, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// Outcome of the erasure of one store, for the person.
package struct ErasureStep: Sendable {
    package let isDone: Bool
    package let line: String

    package init(isDone: Bool, line: String) {
        (self.isDone, self.line) = (isDone, line)
    }
}

extension MyDataPage {
    /// - Parameter start: number of the first entry over decisions, alarms and rows together, from 0.
    package init(from start: Int, of data: PersonData, gateway: GatewayID) {
        let decisions = data.decisions.dropFirst(start).prefix(Self.size).map(Decision.init)
        let alarmStart = max(start - data.decisions.count, 0)
        let alarms = Array(data.alarms.dropFirst(alarmStart).prefix(Self.size - decisions.count))
        var skipped = max(start - data.decisions.count - data.alarms.count, 0)
        var room = Self.size - decisions.count - alarms.count
        var tables: [PersonTable] = []
        for table in data.tables {
            let rows = table.rows.dropFirst(skipped).prefix(room)
            skipped = max(skipped - table.rows.count, 0)
            room -= rows.count
            if start == 0 || !rows.isEmpty { tables.append(PersonTable(name: table.name, rows: Array(rows))) }
        }
        let end = start + Self.size - room
        let total = data.decisions.count + data.alarms.count + data.tables.reduce(0) { $0 + $1.rows.count }
        self.init(
            decisions: decisions, alarms: alarms, tables: tables, next: end < total ? Int64(end) : nil,
            devices: data.devices, unsent: data.unsent, isHistoryKept: data.isHistoryKept, gateway: gateway)
    }
}
