import Contract
import Foundation
import GRDB
import GatewayModel

/// One message as a row, column by column.
enum OutboxRow {
    static let columns =
        "place, id, lane, retention, discloses, person, kind, topic, payload, retained, party, epoch, run, bib"

    static let insert =
        "INSERT OR REPLACE INTO message (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

    static func write(_ row: Outbox.Row, with statement: Statement, base: Int64) throws {
        guard let stored = StoredEnvelope(row.envelope) else { return }
        try statement.execute(
            arguments: [
                row.place + base, Data(stored.id.bytes), stored.lane.rawValue, stored.retention.rawValue,
                stored.discloses, stored.person, stored.kind, stored.topic, Data(stored.payload),
                stored.isRetained, stored.party, stored.epoch, stored.run, stored.bib,
            ])
    }

    /// Nil for a row that another version wrote, or that is damaged.
    ///
    /// - Parameter row: of a `SELECT` of `columns`, or of `*` in a file of an earlier version, which has fewer.
    static func decode(_ row: Row, base: Int64) -> Outbox.Row? {
        guard let place: Int64 = value(row, 0),
            let id = id(row, 1), let lane = value(row, 2).flatMap(Envelope.Lane.init),
            let retention = value(row, 3).flatMap(Envelope.Retention.init),
            let discloses: String = value(row, 4), let topic: String = value(row, 7),
            let payload: Data = value(row, 8), let isRetained: Bool = value(row, 9)
        else { return nil }
        let stored = StoredEnvelope(
            id: id, lane: lane, retention: retention, discloses: discloses, person: value(row, 5),
            kind: value(row, 6), party: value(row, 10), epoch: value(row, 11), run: value(row, 12),
            bib: value(row, 13), topic: topic, payload: [UInt8](payload), isRetained: isRetained)
        return stored.envelope.map { Outbox.Row(place: place - base, envelope: $0) }
    }

    static func id(_ row: Row, _ index: Int) -> MessageID? {
        (value(row, index) as Data?).flatMap { MessageID(bytes: $0) }
    }

    /// Nil where there is no such column, or it holds something else: GRDB's own subscript traps there.
    static func value<Value: DatabaseValueConvertible>(_ row: Row, _ index: Int) -> Value? {
        guard index < row.count else { return nil }
        return Value.fromDatabaseValue(row[index] as DatabaseValue)
    }
}
