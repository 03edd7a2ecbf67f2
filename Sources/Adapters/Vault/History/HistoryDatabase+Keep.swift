import GRDB
public import GatewayModel

extension HistoryDatabase {
    private struct Added {
        var series: [Int64: HistorySeries] = [:]
        var kept = 0
        var unreadable = 0
    }

    /// Adds readings, in one transaction. Skips readings that are already stored (by message ID), and readings with a
    /// value that is impossible for a living person.
    ///
    /// - Returns: the number of new readings.
    @discardableResult
    public func keep(_ readings: [Reading]) throws(DiskFailure) -> Int {
        let groups = Dictionary(grouping: readings.filter(\.quantity.isPlausible)) { HistorySeries($0) }
        let added = try DiskFailure.translating("writing", path) { [seal, series] in
            let numbers = Dictionary(series.map { ($0.value, $0.key) }) { first, _ in first }
            return try write { db in
                var added = Added()
                for (meaning, readings) in groups {
                    let number = try numbers[meaning] ?? Self.begin(db, meaning, seal)
                    added.series[number] = meaning
                    let samples = readings.map { HistorySample($0) }
                    for (slot, samples) in Dictionary(grouping: samples, by: \.rawSlot) {
                        try Self.keep(db, samples, number, slot, seal, &added)
                    }
                }
                return added
            }
        }
        series.merge(added.series) { _, new in new }
        unreadable += added.unreadable
        return added.kept
    }

    private static func begin(_ db: Database, _ meaning: HistorySeries, _ seal: HistorySeal) throws -> Int64 {
        let number = (try Int64.fetchOne(db, sql: "SELECT max(place) FROM series") ?? 0) + 1
        try SealedRow.write(db, .series, at: number, meaning.bytes, seal)
        return number
    }

    private static func keep(
        _ db: Database, _ samples: [HistorySample], _ series: Int64, _ slot: Int64, _ seal: HistorySeal,
        _ added: inout Added
    ) throws {
        let place = HistorySlot.place(series, slot)
        let start = slot * HistorySlot.raw
        var chunk = RawChunk()
        if let row = try SealedRow.fetch(db, .raw, place...place).first {
            if let held = row.open(.raw, seal).flatMap({ RawChunk($0, from: start) }) {
                chunk = held
            } else {
                // The content of the unreadable row is lost either way.
                added.unreadable += 1
            }
        }
        let before = chunk.samples.count
        for sample in samples { _ = chunk.insert(sample) }
        guard chunk.samples.count > before else { return }
        added.kept += chunk.samples.count - before
        try SealedRow.write(db, .raw, at: place, chunk.bytes(from: start), seal)
        let day = HistorySlot.number(of: start, length: HistorySlot.day)
        try db.cachedStatement(sql: "INSERT OR IGNORE INTO stale (place) VALUES (?)")
            .execute(arguments: [HistorySlot.place(series, day)])
    }
}

extension HistorySample {
    var rawSlot: Int64 { HistorySlot.number(of: time, length: HistorySlot.raw) }
}
