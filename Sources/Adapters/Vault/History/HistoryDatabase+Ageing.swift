import GRDB
public import GatewayModel

// Each of these is one short transaction, so that whoever asks meanwhile waits for one of them at most.
extension HistoryDatabase {
    /// Makes the roll-ups of one day of one series, where one is over and has new readings.
    ///
    /// - Returns: whether there was one; call it again until not.
    public func rollUp(at now: WallTime) throws(DiskFailure) -> Bool {
        let today = HistorySlot.day(of: now)
        let unread: Int? = try DiskFailure.translating("writing", path) { [seal] in
            try write { db in
                let stale = try Int64.fetchAll(db, sql: "SELECT place FROM stale")
                guard let place = stale.first(where: { HistorySlot.slot(ofPlace: $0) < today }) else {
                    return nil
                }
                return try Self.rollUp(db, place, seal)
            }
        }
        unreadable += unread ?? 0
        return unread != nil
    }

    /// Lets go of the readings of one day of one series that is older than `age`; its roll-ups stay.
    ///
    /// - Returns: whether there was one; call it again until not.
    public func letGoOfRaw(olderThan age: Duration, at now: WallTime) throws(DiskFailure) -> Bool {
        let limit = HistorySlot.day(of: now.earlier(by: age))
        let unread: Int? = try DiskFailure.translating("writing", path) { [seal, series] in
            try write { db in
                for number in series.keys.sorted() {
                    let all = HistorySlot.places(of: number)
                    guard
                        let first = try Int64.fetchOne(
                            db, sql: "SELECT min(place) FROM raw WHERE place BETWEEN ? AND ?",
                            arguments: [all.lowerBound, all.upperBound])
                    else { continue }
                    let start = HistorySlot.slot(ofPlace: first) * HistorySlot.raw
                    let day = HistorySlot.number(of: start, length: HistorySlot.day)
                    guard day < limit else { continue }
                    return try Self.finish(db, HistorySlot.place(number, day), seal)
                }
                return nil
            }
        }
        unreadable += unread ?? 0
        return unread != nil
    }

    /// Deletes some roll-ups older than `age`.
    ///
    /// - Returns: whether there were any; call it again until not.
    public func letGoOfRollUps(
        olderThan age: Duration, at now: WallTime, limit: Int = 100
    ) throws(DiskFailure) -> Bool {
        let last = HistorySlot.day(of: now.earlier(by: age)) - 1
        return try DiskFailure.translating("deleting from", path) { [series] in
            try write { db in
                var deleted = 0
                for number in series.keys {
                    let old = HistorySlot.places(number, HistorySlot.slots.lowerBound...last)
                    for table in ["minutes", "hours", "final"] where deleted < limit {
                        try db.execute(
                            sql: """
                                DELETE FROM \(table) WHERE place IN
                                (SELECT place FROM \(table) WHERE place BETWEEN ? AND ? LIMIT ?)
                                """, arguments: [old.lowerBound, old.upperBound, limit - deleted])
                        deleted += db.changesCount
                    }
                }
                return deleted > 0
            }
        }
    }

    // MARK: One day

    /// - Returns: how many rows could not be read.
    private static func rollUp(_ db: Database, _ place: Int64, _ seal: HistorySeal) throws -> Int {
        let (minutes, unread) = try minutes(db, place, seal)
        try write(db, minutes, at: place, seal)
        if try isFinal(db, place) { try deleteRaw(db, place) }
        try db.execute(sql: "DELETE FROM stale WHERE place = ?", arguments: [place])
        return unread
    }

    private static func finish(_ db: Database, _ place: Int64, _ seal: HistorySeal) throws -> Int {
        let isStale =
            try Int64.fetchOne(db, sql: "SELECT place FROM stale WHERE place = ?", arguments: [place]) != nil
        let unread = isStale ? try rollUp(db, place, seal) : 0
        try db.execute(sql: "INSERT OR IGNORE INTO final (place) VALUES (?)", arguments: [place])
        try deleteRaw(db, place)
        return unread
    }

    private static func write(
        _ db: Database, _ minutes: RollUp, at place: Int64, _ seal: HistorySeal
    ) throws {
        let start = HistorySlot.slot(ofPlace: place) * HistorySlot.day
        let hours = minutes.coarser(length: HistorySlot.hour)
        try SealedRow.write(
            db, .minutes, at: place, minutes.bytes(length: HistorySlot.minute, from: start), seal)
        try SealedRow.write(
            db, .hours, at: place, hours.bytes(length: HistorySlot.hour, from: start), seal)
    }

    private static func isFinal(_ db: Database, _ place: Int64) throws -> Bool {
        try Int64.fetchOne(db, sql: "SELECT place FROM final WHERE place = ?", arguments: [place]) != nil
    }

    private static func rawPlaces(_ place: Int64) -> ClosedRange<Int64> {
        HistorySlot.places(
            HistorySlot.series(ofPlace: place),
            HistorySlot.rawSlots(ofDay: HistorySlot.slot(ofPlace: place)))
    }

    private static func deleteRaw(_ db: Database, _ place: Int64) throws {
        let places = rawPlaces(place)
        try db.execute(
            sql: "DELETE FROM raw WHERE place BETWEEN ? AND ?",
            arguments: [places.lowerBound, places.upperBound])
    }

    /// The minutes of a day out of its readings; where earlier ones are gone already, together with what was
    /// made of those.
    ///
    /// - Parameter place: the series and the day.
    static func minutes(
        _ db: Database, _ place: Int64, _ seal: HistorySeal
    ) throws -> (RollUp, unread: Int) {
        var unread = 0
        var samples: [HistorySample] = []
        for row in try SealedRow.fetch(db, .raw, rawPlaces(place)) {
            let start = HistorySlot.slot(ofPlace: row.place) * HistorySlot.raw
            guard let chunk = row.open(.raw, seal).flatMap({ RawChunk($0, from: start) }) else {
                unread += 1
                continue
            }
            samples += chunk.samples
        }
        let minutes = RollUp(samples, length: HistorySlot.minute)
        guard try isFinal(db, place), let row = try SealedRow.fetch(db, .minutes, place...place).first else {
            return (minutes, unread)
        }
        let start = HistorySlot.slot(ofPlace: place) * HistorySlot.day
        guard
            let earlier = row.open(.minutes, seal).flatMap({
                RollUp($0, length: HistorySlot.minute, from: start)
            })
        else { return (minutes, unread + 1) }
        return (minutes.merged(with: earlier), unread)
    }
}

extension HistorySlot {
    static func day(of time: WallTime) -> Int64 {
        slots.clamp(number(of: times.clamp(time.millisecondsSince1970), length: day))
    }
}

extension WallTime {
    fileprivate func earlier(by age: Duration) -> WallTime {
        WallTime(
            millisecondsSince1970: HistorySlot.times.clamp(millisecondsSince1970) - age.wholeMilliseconds)
    }
}
