public import Consent
public import Contract
import GRDB

extension OutboxDatabase {
    /// Deletes what may not leave any more, and overwrites it on the disk.
    ///
    /// - Parameters:
    ///   - underway: what the broker may have got already: it is deleted, and not counted.
    ///   - mayLeave: the consent gate of this instant; of one message of each kind.
    /// - Returns: how many messages were deleted, by what they would have given away.
    public func purge(
        notCounting underway: Set<Outbox.Place> = [], unless mayLeave: (Envelope) -> Bool
    ) throws(DiskFailure) -> [Disclosure: Int] {
        var deleted = 0
        let counts = try DiskFailure.translating("deleting from", path) { [base] in
            try queue.write { db in
                let columns = "discloses, person, kind, party, epoch"
                let groups = try Row.fetchAll(db, sql: "SELECT DISTINCT \(columns) FROM message")
                let ofGroup =
                    "FROM message WHERE discloses IS ? AND person IS ? AND kind IS ? AND party IS ? AND epoch IS ?"
                var counts: [Disclosure: Int] = [:]
                for group in groups {
                    let arguments = StatementArguments(group.databaseValues)
                    // What a message discloses is all the gate looks at, so one of each speaks for all.
                    let example = try Row.fetchOne(
                        db, sql: "SELECT \(OutboxRow.columns) \(ofGroup) LIMIT 1", arguments: arguments)
                    guard let envelope = example.flatMap({ OutboxRow.decode($0, base: base) })?.envelope,
                        !mayLeave(envelope)
                    else { continue }
                    let look = try db.cachedStatement(sql: "SELECT 1 \(ofGroup) AND place = ?")
                    let sent = try underway.count { place in
                        try Int.fetchOne(look, arguments: arguments + [place + base]) != nil
                    }
                    try db.execute(sql: "DELETE \(ofGroup)", arguments: arguments)
                    deleted += db.changesCount
                    counts[envelope.disclosure] = db.changesCount - sent
                }
                return counts
            }
        }
        changed(by: -deleted)
        if deleted > 0 { try SQLiteFile.emptyLog(queue, at: path) }
        return counts
    }
}
