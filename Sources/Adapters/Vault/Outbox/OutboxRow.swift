import Contract
import Foundation
import GRDB
import GatewayModel

/// One message as a row, column by column.
enum OutboxRow {
    static let columns =
        "place, id, lane, retention, discloses, person, kind, topic, payload, retained, party, epoch, run, bib, arrived, sum"

    static let insert = "INSERT OR REPLACE \(values)"
    static let insertIfNew = "INSERT OR IGNORE \(values)"

    private static let values =
        "INTO message (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

    static func write(_ row: Outbox.Row, with statement: Statement, base: Int64) throws {
        guard let stored = StoredEnvelope(row.envelope) else { return }
        try statement.execute(
            arguments: [
                row.place + base, Data(stored.id.bytes), stored.lane.rawValue, stored.retention.rawValue,
                stored.discloses, stored.person, stored.kind, stored.topic, Data(stored.payload),
                stored.isRetained, stored.party, stored.epoch, stored.run, stored.bib, stored.arrived,
                sum(of: stored, at: row.place + base),
            ])
    }

    /// Nil for a row that another version wrote, or that is damaged.
    ///
    /// - Parameter row: of a `SELECT` of `columns`, or of `*` in a file of an earlier version, which has fewer.
    static func decode(_ row: Row, base: Int64) -> Outbox.Row? {
        guard let place = row.number(0), let id = row.id(1),
            let lane = row.int(2).flatMap(Envelope.Lane.init),
            let retention = row.text(3).flatMap(Envelope.Retention.init),
            let discloses = row.text(4), let topic = row.text(7), let payload = row.bytes(8),
            let isRetained = row.flag(9)
        else { return nil }
        let stored = StoredEnvelope(
            id: id, lane: lane, retention: retention, discloses: discloses, person: row.text(5),
            kind: row.text(6), party: row.text(10), epoch: row.number(11), run: row.text(12),
            bib: row.int(13), topic: topic, payload: payload, isRetained: isRetained, arrived: row.number(14))
        // A row of an earlier version has none.
        if let expected = row.number(15), expected != sum(of: stored, at: place) { return nil }
        return stored.envelope.map { Outbox.Row(place: place - base, envelope: $0) }
    }

    /// Hash over all columns: any single byte that differs gives another.
    private static func sum(of stored: StoredEnvelope, at place: Int64) -> Int64 {
        var hash = FNVHash()
        func add(_ text: String?) {
            hash.add((text ?? "").utf8)
            // No text has it, and absent is not empty.
            hash.add(text == nil ? [0xFF, 0xFF] : [0xFF])
        }
        func add(_ number: Int64?) { add(number.map { "\($0)" }) }
        add(place)
        hash.add(stored.id.bytes)
        add("\(stored.lane.rawValue) \(stored.isRetained)")
        for text in [stored.retention.rawValue, stored.discloses, stored.person, stored.kind, stored.party] {
            add(text)
        }
        for number in [stored.epoch, stored.bib.map { Int64($0) }, stored.arrived] { add(number) }
        for text in [stored.run, stored.topic] { add(text) }
        hash.add(stored.payload)
        return Int64(bitPattern: hash.value)
    }
}
