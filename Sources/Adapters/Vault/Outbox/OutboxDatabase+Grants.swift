public import Consent
import Foundation
import GRDB
public import GatewayModel

// Ends of grants that are to be reported, and the last messages that were sent by each grant. The tables outlive a
// restart, so that the end of a grant is reported even if the gateway stopped in between.
extension OutboxDatabase {
    /// Records the grants in force, and returns those that have ended since.
    ///
    /// - Parameter open: the grants in force by the written entries of the ledger.
    /// - Returns: ended grants that were not reported, oldest first; `forget` removes them after the report.
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

    /// Returns the last message of each kind that the broker has received by this grant.
    public func lastSent(by epoch: LedgerSequence) throws(DiskFailure) -> [DataKind: MessageID] {
        try DiskFailure.translating("reading", path) {
            try queue.read { db in
                let rows = try Row.fetchAll(
                    db, sql: "SELECT kind, id FROM sent WHERE epoch = ?", arguments: [epoch.number])
                let known = rows.compactMap { row -> (DataKind, MessageID)? in
                    guard let kind = row.text(0).flatMap(DataKind.init),
                        let id = row.id(1)
                    else { return nil }
                    return (kind, id)
                }
                return Dictionary(known) { first, _ in first }
            }
        }
    }

    /// Deletes the records of grants after the report of their end.
    public func forget(_ epochs: [LedgerSequence]) throws(DiskFailure) {
        defer { transactions.note(count: count) }
        try DiskFailure.translating("deleting from", path) {
            try write { db in
                for epoch in epochs {
                    try db.execute(sql: "DELETE FROM open_grant WHERE epoch = ?", arguments: [epoch.number])
                }
                // Also messages that were acknowledged after the report.
                try db.execute(sql: "DELETE FROM sent WHERE epoch NOT IN (SELECT epoch FROM open_grant)")
            }
        }
    }

    /// - Parameter series: series for a third party. Others are not recorded.
    static func note(sent id: MessageID, of series: SampleSeries, in db: Database) throws {
        guard case .party(_, let epoch) = series.recipient else { return }
        let insert = try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO sent (epoch, kind, id) VALUES (?, ?, ?)")
        try insert.execute(arguments: [epoch.number, series.kind.rawValue, Data(id.bytes)])
    }
}
