import Foundation
import GRDB

/// A row whose content is sealed, column by column.
struct SealedRow {
    let place: Int64
    /// The number of the key it is sealed with.
    let key: Int64
    let sealed: [UInt8]

    /// - Parameter sql: selects place, key and sealed.
    static func fetch(
        _ db: Database, _ sql: String, _ arguments: StatementArguments = []
    ) throws -> [SealedRow] {
        let cursor = try Row.fetchCursor(try db.cachedStatement(sql: sql), arguments: arguments)
        var rows: [SealedRow] = []
        while let row = try cursor.next() {
            // Of another type: damaged. It is counted with those that do not open.
            rows.append(
                SealedRow(
                    place: row.number(0) ?? 0, key: row.number(1) ?? 0, sealed: row.bytes(2) ?? []))
        }
        return rows
    }

    static func fetch(
        _ db: Database, _ table: HistorySeal.Table, _ places: ClosedRange<Int64>
    ) throws -> [SealedRow] {
        try fetch(
            db, "SELECT place, key, sealed FROM \(table.name) WHERE place BETWEEN ? AND ? ORDER BY place",
            [places.lowerBound, places.upperBound])
    }

    static func write(
        _ db: Database, _ table: HistorySeal.Table, at place: Int64, _ plain: [UInt8], _ seal: HistorySeal
    ) throws {
        let sealed = try Self.seal(plain, table, at: place, seal)
        try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO \(table.name) (place, key, sealed) VALUES (?, ?, ?)"
        ).execute(arguments: [place, seal.current, sealed])
    }

    static func seal(
        _ plain: [UInt8], _ table: HistorySeal.Table, at place: Int64, _ seal: HistorySeal
    ) throws -> Data {
        guard let sealed = seal.seal(plain, table, at: place) else { throw CipherRefused() }
        return Data(sealed)
    }

    /// Nil where it is not what was written here.
    func open(_ table: HistorySeal.Table, _ seal: HistorySeal) -> [UInt8]? {
        seal.open(sealed, table, at: place, key: key)
    }
}

/// The library has no memory left, or no AES: nothing is written in clear instead.
struct CipherRefused: Error, CustomStringConvertible {
    var description: String { "libcrypto refuses to encrypt: is OpenSSL's default provider switched off?" }
}

extension HistorySeal.Table {
    /// All that rotation goes over.
    static let kept: [HistorySeal.Table] = [.series, .raw, .minutes, .hours, .locations]

    var name: String {
        switch self {
        case .proof: "key"
        case .series: "series"
        case .raw: "raw"
        case .minutes: "minutes"
        case .hours: "hours"
        case .locations: "location"
        }
    }
}

extension HistoryFailure {
    static func ofDisk<Result>(
        _ doing: String, _ path: String, _ body: () throws -> Result
    ) throws(HistoryFailure) -> Result {
        do throws(DiskFailure) {
            return try DiskFailure.translating(doing, path, body)
        } catch {
            throw .disk(error)
        }
    }
}
