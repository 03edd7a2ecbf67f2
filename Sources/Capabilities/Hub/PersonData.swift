package import Consent
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

    package init() {}
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
