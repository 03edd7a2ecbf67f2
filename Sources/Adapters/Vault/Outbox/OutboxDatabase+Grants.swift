public import Consent
import Foundation
import GRDB
public import GatewayModel

// Which grants are to be told of when they end, and what went by them: it outlives a restart, so that the end of a
// grant is told though the gateway died in between.
extension OutboxDatabase {
    /// - Parameter open: the grants in force, by what is written of the ledger.
    /// - Returns: those that have ended and were not told of, oldest first; forget them with `tell`.
    public func ended(besides open: Set<LedgerSequence>) throws(DiskFailure) -> [LedgerSequence] {
        defer { transactions.note(count: count) }
        return try DiskFailure.translating("writing", path) {
            try write { db in
                let known = Set(try Int64.fetchAll(db, sql: "SELECT epoch FROM open_grant"))
                for epoch in open where !known.contains(epoch.number) {
                    try db.execute(sql: "INSERT INTO open_grant (epoch) VALUES (?)", arguments: [epoch.number])
                }
                return known.map { LedgerSequence($0) }.filter { !open.contains($0) }.sorted()
            }
        }
    }

    /// The last message of each kind that the broker has of those that went by this grant.
    public func lastSent(by epoch: LedgerSequence) throws(DiskFailure) -> [QuantityKind: MessageID] {
        try DiskFailure.translating("reading", path) {
            try queue.read { db in
                let rows = try Row.fetchAll(
                    db, sql: "SELECT kind, id FROM sent WHERE epoch = ?", arguments: [epoch.number])
                let known = rows.compactMap { row -> (QuantityKind, MessageID)? in
                    guard let kind = row.text(0).flatMap(QuantityKind.init),
                        let id = row.id(1)
                    else { return nil }
                    return (kind, id)
                }
                return Dictionary(known) { first, _ in first }
            }
        }
    }

    /// Their end is told: nothing is kept of them.
    public func forget(_ epochs: [LedgerSequence]) throws(DiskFailure) {
        defer { transactions.note(count: count) }
        try DiskFailure.translating("deleting from", path) {
            try write { db in
                for epoch in epochs {
                    try db.execute(sql: "DELETE FROM open_grant WHERE epoch = ?", arguments: [epoch.number])
                }
                // Also what was acknowledged after the end was told.
                try db.execute(sql: "DELETE FROM sent WHERE epoch NOT IN (SELECT epoch FROM open_grant)")
            }
        }
    }

    /// - Parameter series: of what goes to a third party; of others nothing is noted.
    static func note(sent id: MessageID, of series: SampleSeries, in db: Database) throws {
        guard case .party(_, let epoch) = series.recipient else { return }
        let insert = try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO sent (epoch, kind, id) VALUES (?, ?, ?)")
        try insert.execute(arguments: [epoch.number, series.kind.rawValue, Data(id.bytes)])
    }
}
