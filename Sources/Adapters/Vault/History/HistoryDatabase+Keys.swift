import GRDB
import GatewayModel

extension HistoryDatabase {
    private static let proof = Array("homegateway history".utf8)

    /// Finds out which keys the rows are sealed with. Nothing is written where one of them is missing.
    static func unlock(
        _ queue: DatabaseQueue, _ path: String, _ keys: HistoryKeys, _ cipher: any AuthenticatedCipher
    ) throws(HistoryFailure) -> HistorySeal {
        let known = try HistoryFailure.ofDisk("reading", path) {
            try queue.read { db in try SealedRow.fetch(db, "SELECT id, id, sealed FROM key") }
        }
        var ring: [Int64: AES256Key] = [:]
        for row in known {
            ring[row.place] = [keys.current, keys.previous].compactMap(\.self).first { key in
                let seal = HistorySeal(cipher, ring: [row.key: key], current: row.key)
                return seal.open(row.sealed, .proof, at: row.place, key: row.key) == proof
            }
        }
        guard ring.count == known.count else {
            throw .key(
                ring.isEmpty
                    ? "\(path) is sealed with another key: give the gateway the key it was written with, "
                        + "or move the file away to begin a new one"
                    : "\(path) is in part still sealed with the key before: give it as previous_key_file "
                        + "until the gateway says that all is sealed anew")
        }
        let current = ring.first { $0.value == keys.current }?.key
        let number = current ?? (known.map(\.place).max() ?? 0) + 1
        ring[number] = keys.current
        let seal = HistorySeal(cipher, ring: ring, current: number)
        guard current == nil else { return seal }
        try HistoryFailure.ofDisk("writing", path) {
            let sealed = try SealedRow.seal(proof, .proof, at: number, seal)
            try queue.write { db in
                try db.execute(
                    sql: "INSERT INTO key (id, sealed) VALUES (?, ?)", arguments: [number, sealed])
            }
        }
        return seal
    }

    static func allSeries(
        _ queue: DatabaseQueue, _ path: String, _ seal: HistorySeal
    ) throws(HistoryFailure) -> (readings: [Int64: HistorySeries], locations: [Int64: PersonID]) {
        let rows = try HistoryFailure.ofDisk("reading", path) {
            try queue.read { db in try SealedRow.fetch(db, "SELECT place, key, sealed FROM series") }
        }
        var (readings, locations) = ([Int64: HistorySeries](), [Int64: PersonID]())
        for row in rows {
            guard let content = row.open(.series, seal) else { continue }
            readings[row.place] = HistorySeries(content)
            locations[row.place] = LocationSeries.person(content)
        }
        return (readings, locations)
    }

    /// Rows that are still sealed with the key before.
    public var isRotating: Bool { seal.isHoldingOlder }

    /// Seals some rows anew with the current key. A kill in between loses nothing: each row names its key, and
    /// the key before is forgotten with its last row only.
    ///
    /// - Returns: how many; 0 when there are none left. From then on the key before opens nothing here.
    public func rotate(limit: Int = 200) throws(DiskFailure) -> Int {
        guard isRotating else { return 0 }
        let (done, unread) = try DiskFailure.translating("sealing anew", path) { [seal] in
            try write { db in
                var (done, unread) = (0, 0)
                for table in HistorySeal.Table.kept where done < limit {
                    let rows = try SealedRow.fetch(
                        db, "SELECT place, key, sealed FROM \(table.name) WHERE key <> ? LIMIT ?",
                        [seal.current, limit - done])
                    for row in rows {
                        if let plain = row.open(table, seal) {
                            try SealedRow.write(db, table, at: row.place, plain, seal)
                        } else {
                            // Opens with no key: it is of no use to anybody.
                            try db.execute(
                                sql: "DELETE FROM \(table.name) WHERE place = ?", arguments: [row.place])
                            unread += 1
                        }
                    }
                    done += rows.count
                }
                if done == 0 {
                    try db.execute(sql: "DELETE FROM key WHERE id <> ?", arguments: [seal.current])
                }
                return (done, unread)
            }
        }
        unreadable += unread
        guard done == 0 else { return done }
        seal = seal.withoutOlder
        // Copies that the old key would open.
        try SQLiteFile.removeTraces(queue, at: path)
        return 0
    }
}
