package import Consent
import FoundationEssentials
package import Vault

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

/// Rows of one kind about a person.
package struct PersonTable: Codable, Hashable, Sendable {
    package let name: String
    /// JSON objects.
    package let rows: [String]

    package init(name: String, rows: [String]) { (self.name, self.rows) = (name, rows) }
}

extension [PersonTable] {
    /// Joins the pages of an export: rows of one name become one table.
    package mutating func join(_ more: [PersonTable]) {
        for table in more {
            if let index = firstIndex(where: { $0.name == table.name }) {
                self[index] = PersonTable(name: table.name, rows: self[index].rows + table.rows)
            } else {
                append(table)
            }
        }
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
