import GRDB
public import GatewayModel

extension HistoryDatabase {
    /// The first points of what is asked for, by time.
    public func page(_ query: HistoryQuery) throws(DiskFailure) -> HistoryPage {
        let asked = series.filter { $0.value.person == query.person && $0.value.kind == query.kind }
        return try DiskFailure.translating("reading", path) { [seal] in
            try queue.read { db in
                var reading = HistoryReading(db: db, seal: seal, series: asked, query: query)
                return try reading.page()
            }
        }
    }
}

/// One page being read, within one read of the database.
private struct HistoryReading {
    let db: Database
    let seal: HistorySeal
    let series: [Int64: HistorySeries]
    let query: HistoryQuery
    var unreadable = 0

    init(db: Database, seal: HistorySeal, series: [Int64: HistorySeries], query: HistoryQuery) {
        (self.db, self.seal, self.series, self.query) = (db, seal, series, query)
    }

    /// Days that are read at once, so that a page out of years does not read years.
    private var stride: Int64 {
        switch query.resolution {
        case .raw: 1
        case .minute: 7
        case .hour, .day: 400
        }
    }

    mutating func page() throws -> HistoryPage {
        var points: [HistoryPoint] = []
        let end = HistorySlot.number(of: query.to - 1, length: HistorySlot.day)
        var next = query.from < query.to ? HistorySlot.number(of: query.from, length: HistorySlot.day) : .max
        while points.count <= query.limit, next <= end, let day = try firstDay(in: next...end) {
            points += try self.points(of: day...min(day + stride - 1, end))
            next = day + stride
        }
        // Points of one instant stay together: the next page begins at an instant.
        guard points.count > query.limit else { return page(points[...], next: nil) }
        let last = points[query.limit - 1].at
        if let index = points.firstIndex(where: { $0.at > last }) {
            return page(points[..<index], next: points[index].at)
        }
        let following = next <= end ? try firstDay(in: next...end) : nil
        return page(points[...], next: following.map { $0 * HistorySlot.day })
    }

    private func page(_ points: ArraySlice<HistoryPoint>, next: Int64?) -> HistoryPage {
        HistoryPage(
            resolution: query.resolution, points: Array(points), next: next, unreadable: unreadable)
    }

    /// The first day among these of which there is anything: where a clock was off by decades, the days between
    /// are not gone through.
    private func firstDay(in days: ClosedRange<Int64>) throws -> Int64? {
        let first = HistorySlot.rawSlots(ofDay: days.lowerBound).lowerBound
        let slots = first...HistorySlot.rawSlots(ofDay: days.upperBound).upperBound
        var found: [Int64] = []
        for number in series.keys {
            let raw = try firstSlot(in: "raw", HistorySlot.places(number, slots))
            let rolledUp = try firstSlot(in: "minutes", HistorySlot.places(number, days))
            if let raw { found.append(HistorySlot.number(of: raw * HistorySlot.raw, length: HistorySlot.day)) }
            if let rolledUp { found.append(rolledUp) }
        }
        return found.min()
    }

    private func firstSlot(in table: String, _ places: ClosedRange<Int64>) throws -> Int64? {
        try Int64.fetchOne(
            try db.cachedStatement(sql: "SELECT min(place) FROM \(table) WHERE place BETWEEN ? AND ?"),
            arguments: [places.lowerBound, places.upperBound]
        ).map { HistorySlot.slot(ofPlace: $0) }
    }

    private mutating func points(of days: ClosedRange<Int64>) throws -> [HistoryPoint] {
        guard let length = query.resolution.length else { return try rawPoints(of: days) }
        var buckets: [HistoryBucket] = []
        for number in series.keys {
            for rollUp in try rollUps(of: number, days) { buckets += rollUp.coarser(length: length).buckets }
        }
        // Of several devices, and of days in any order.
        return RollUp(buckets.sorted { $0.start < $1.start }).buckets
            .filter { query.from <= $0.start && $0.start < query.to }.map(HistoryPoint.init)
    }

    /// As they are kept, and out of the readings where those are newer.
    private mutating func rollUps(of number: Int64, _ days: ClosedRange<Int64>) throws -> [RollUp] {
        let places = HistorySlot.places(number, days)
        let stale = Set(
            try Int64.fetchAll(
                db, sql: "SELECT place FROM stale WHERE place BETWEEN ? AND ?",
                arguments: [places.lowerBound, places.upperBound]))
        var rollUps: [RollUp] = []
        let isOfMinutes = query.resolution == .minute
        let length = isOfMinutes ? HistorySlot.minute : HistorySlot.hour
        let table = isOfMinutes ? HistorySeal.Table.minutes : .hours
        for row in try SealedRow.fetch(db, table, places) where !stale.contains(row.place) {
            let start = HistorySlot.slot(ofPlace: row.place) * HistorySlot.day
            let rollUp = row.open(table, seal).flatMap { RollUp($0, length: length, from: start) }
            if let rollUp { rollUps.append(rollUp) } else { unreadable += 1 }
        }
        for place in stale {
            let (minutes, unread) = try HistoryDatabase.minutes(db, place, seal)
            rollUps.append(minutes)
            unreadable += unread
        }
        return rollUps
    }

    private mutating func rawPoints(of days: ClosedRange<Int64>) throws -> [HistoryPoint] {
        let first = HistorySlot.rawSlots(ofDay: days.lowerBound).lowerBound
        let slots = first...HistorySlot.rawSlots(ofDay: days.upperBound).upperBound
        var points: [HistoryPoint] = []
        for (number, meaning) in series {
            for row in try SealedRow.fetch(db, .raw, HistorySlot.places(number, slots)) {
                let start = HistorySlot.slot(ofPlace: row.place) * HistorySlot.raw
                guard let chunk = row.open(.raw, seal).flatMap({ RawChunk($0, from: start) }) else {
                    unreadable += 1
                    continue
                }
                for sample in chunk.samples where query.from <= sample.time && sample.time < query.to {
                    points.append(HistoryPoint(sample, meaning.device))
                }
            }
        }
        return series.count == 1 ? points : points.sorted { $0.at < $1.at }
    }
}

extension HistoryPoint {
    fileprivate init(_ bucket: HistoryBucket) {
        self.init(
            at: bucket.start, count: bucket.count, min: bucket.min, mean: bucket.mean, max: bucket.max,
            doubtful: bucket.doubtful == 0 ? nil : bucket.doubtful)
    }

    fileprivate init(_ sample: HistorySample, _ device: DeviceID) {
        self.init(
            at: sample.time, count: 1, min: sample.value, mean: sample.value, max: sample.value,
            device: device.text, contact: sample.contact, currency: sample.currency,
            doubt: sample.doubts.isEmpty ? nil : sample.doubts)
    }
}
