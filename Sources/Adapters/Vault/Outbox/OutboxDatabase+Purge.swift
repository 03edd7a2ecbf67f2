public import Consent
public import Contract
import GRDB

extension OutboxDatabase {
    /// Size in bytes of the waiting messages above which a purge does not write the file anew: some 100,000 readings, written
    /// in a few seconds on an SD card. The traces in a larger file go as its messages leave, since freed pages are overwritten.
    static let rewriteLimit = 32 << 20

    /// Deletes messages that may not leave any more, and overwrites them on the disk.
    ///
    /// - Parameters:
    ///   - underway: messages that the broker may have received already. They are deleted, and not counted.
    ///   - removesTraces: withheld messages were deleted before, and the file still has traces of them. Without any, the file
    ///     and its log stay as they are: writing them anew takes time, and readings wait meanwhile.
    ///   - mayLeave: the consent gate of this instant. It is called with one message of each disclosure.
    /// - Returns: the number of deleted messages by disclosure.
    public func purge(
        notCounting underway: Set<Outbox.Place> = [], removesTraces: Bool = false,
        unless mayLeave: (Envelope) -> Bool
    ) throws(DiskFailure) -> [Disclosure: Int] {
        var deleted = 0
        let counts = try DiskFailure.translating("deleting from", path) { [base] in
            try write { db in
                var counts: [Disclosure: Int] = [:]
                for example in try Row.fetchAll(db, sql: Self.examples) {
                    guard let envelope = OutboxRow.decode(example, base: base)?.envelope, !mayLeave(envelope)
                    else { continue }
                    let (ofGroup, arguments) = Self.group(of: example)
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
        if removesTraces || deleted > 0 || hasTraces { try removeTracesIfPossible() }
        return counts
    }

    /// The deletion stands: it must not be reported as failed because the disk has no room for a second file. Then the log is
    /// emptied alone, and the next purge tries again.
    private func removeTracesIfPossible() throws(DiskFailure) {
        do throws(DiskFailure) {
            try SQLiteFile.removeTraces(queue, at: path, upTo: Self.rewriteLimit)
            hasTraces = false
        } catch {
            guard !error.isDamage else { throw error }
            hasTraces = true
            try SQLiteFile.emptyLog(queue, at: path)
        }
    }

    /// One message of each disclosure: the gate decides on the disclosure alone. One pass finds them all, because a
    /// race has thousands of disclosures.
    private static let examples = """
        SELECT \(OutboxRow.columns) FROM message WHERE place IN (
          SELECT min(place) FROM message GROUP BY discloses, person, kind, party, epoch, run, bib)
        """

    /// - Returns: the part of a statement that selects all messages with the same disclosure, and its arguments.
    private static func group(of example: Row) -> (sql: String, arguments: StatementArguments) {
        let names = ["discloses", "person", "kind", "party", "epoch"]
        let values = names.map { example[$0] as DatabaseValue }
        let rest = names.map { "\($0) IS ?" }.joined(separator: " AND ")
        let (run, bib) = (example["run"] as DatabaseValue, example["bib"] as DatabaseValue)
        guard !run.isNull else {
            return ("FROM message WHERE \(rest) AND run IS NULL", StatementArguments(values))
        }
        // The index of runners supports `=`, not `IS`.
        return ("FROM message WHERE run = ? AND bib = ? AND \(rest)", StatementArguments([run, bib] + values))
    }
}
