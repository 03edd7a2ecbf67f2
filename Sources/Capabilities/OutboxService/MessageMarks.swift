package import Vault

/// Rows that record which messages were made. They are written when the messages are durable: a row must not outlive its
/// message. A kill in between makes the messages again, so their IDs have to be the same then.
package struct MessageMarks: Sendable {
    private var rows: [StateChange] = []
    private var place: Outbox.Place = 0

    package init() {}

    /// Adds a row.
    ///
    /// - Parameter queue: has the messages of the row already.
    package mutating func add(_ row: StateChange, after queue: OutboundQueue) {
        rows.add(row)
        place = queue.lastPlace
    }

    /// Returns the rows that may be written now.
    package mutating func take(by queue: OutboundQueue) -> [StateChange] {
        guard !rows.isEmpty, queue.isDurable(through: place) else { return [] }
        defer { rows = [] }
        return rows
    }
}
