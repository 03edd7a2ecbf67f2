import Crypto
import Foundation
public import GatewayModel
public import SQLDatabase

/// Append-only log of acts, chained by hashes: each line has the SHA-256 of the line before it and of its own content.
///
/// The database refuses changes and deletions of lines. A change of the file itself breaks the chain, which
/// `check` finds. Lines cut off at the end are found by a `head` that was noted elsewhere.
public enum AuditLog {
    public static let migrations = [
        Migration("audit-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE audit (
                        number INTEGER PRIMARY KEY, at INTEGER NOT NULL, area TEXT NOT NULL, subject TEXT NOT NULL,
                        entry TEXT NOT NULL, hash BLOB NOT NULL
                    ) STRICT;
                    CREATE INDEX audit_subject ON audit (area, subject, number);
                    """)
            try db.refuse(
                [.delete, .update], of: "audit", because: "lines of the audit log are kept as they are")
        }
    ]

    /// Lists of an export, of lines of the log.
    public static let exports: [ExportList] = [PasskeyStore.changesExport]

    /// Last line of the log. Note it outside of the server to find lines that were cut off later.
    public struct Head: Hashable, Sendable, CustomStringConvertible {
        public let number: Int64
        public let hash: [UInt8]

        public var description: String {
            "\(number) " + hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }

    /// Result of a check.
    public enum Verdict: Hashable, Sendable {
        case sound(Head)
        /// The first line that is missing or has another hash than its content and the line before it give.
        case changed(at: Int64)
    }

    private static let start = [UInt8](SHA256.hash(data: Array("trackme audit 1".utf8)))

    /// Appends a line, in the transaction of the act.
    public static func append(
        _ entry: String, about subject: String, in area: String, at now: WallTime, _ db: Database
    ) throws {
        let last = try Row.fetchOne(db, sql: "SELECT number, hash FROM audit ORDER BY number DESC LIMIT 1")
        let number = (last?["number"] as Int64? ?? 0) + 1
        let previous = last.map { [UInt8]($0["hash"] as Data) } ?? start
        let hash = hash(number, now.millisecondsSince1970, area, subject, entry, after: previous)
        try db.execute(
            sql: "INSERT INTO audit (number, at, area, subject, entry, hash) VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [number, now.millisecondsSince1970, area, subject, entry, Data(hash)])
    }

    /// Computes the whole chain again.
    public static func check(_ db: Database) throws -> Verdict {
        var (number, previous): (Int64, [UInt8]) = (0, start)
        let rows = try Row.fetchCursor(db, sql: "SELECT * FROM audit ORDER BY number")
        while let row = try rows.next() {
            number += 1
            let expected = hash(
                number, row["at"], row["area"], row["subject"], row["entry"], after: previous)
            guard row["number"] == number, [UInt8](row["hash"] as Data) == expected else {
                return .changed(at: number)
            }
            previous = expected
        }
        return .sound(Head(number: number, hash: previous))
    }

    private static func hash(
        _ number: Int64, _ at: Int64, _ area: String, _ subject: String, _ entry: String,
        after previous: [UInt8]
    ) -> [UInt8] {
        var hasher = SHA256()
        hasher.update(data: previous)
        for value in [number, at] { withUnsafeBytes(of: value.bigEndian) { hasher.update(bufferPointer: $0) } }
        // With its length before it, no text can continue in the next one.
        for text in [area, subject, entry] {
            withUnsafeBytes(of: UInt64(text.utf8.count).bigEndian) { hasher.update(bufferPointer: $0) }
            hasher.update(data: Array(text.utf8))
        }
        return Array(hasher.finalize())
    }
}
