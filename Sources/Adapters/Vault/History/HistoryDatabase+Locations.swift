import GRDB
public import GatewayModel

// Positions have a series of their own for each person. A row holds those of a quarter of an hour.
extension HistoryDatabase {
    /// Upper limit of the positions of one row: one a second.
    private static let mostInRow = 900
    /// Maximum number of rows that are read for one page.
    private static let rowsOfPage = 200

    /// Adds positions, in one transaction. A position of a time that is kept already replaces the other.
    public func keep(_ samples: [PositionSample]) throws(DiskFailure) {
        let groups = Dictionary(grouping: samples, by: \.person)
        let (added, unread) = try DiskFailure.translating("writing", path) { [seal, locations] in
            try write { db in
                var (added, unread) = ([Int64: PersonID](), 0)
                for (person, samples) in groups {
                    let number = try locations.first { $0.value == person }?.key ?? Self.begin(db, person, seal)
                    added[number] = person
                    let points = samples.map { LocationPoint($0) }
                    for (slot, points) in Dictionary(grouping: points, by: \.slot) {
                        unread += try Self.keep(db, points, number, slot, seal)
                    }
                }
                return (added, unread)
            }
        }
        locations.merge(added) { _, new in new }
        unreadable += unread
    }

    private static func begin(_ db: Database, _ person: PersonID, _ seal: HistorySeal) throws -> Int64 {
        let number = (try Int64.fetchOne(db, sql: "SELECT max(place) FROM series") ?? 0) + 1
        try SealedRow.write(db, .series, at: number, LocationSeries.bytes(of: person), seal)
        return number
    }

    private static func keep(
        _ db: Database, _ points: [LocationPoint], _ series: Int64, _ slot: Int64, _ seal: HistorySeal
    ) throws -> Int {
        let place = HistorySlot.place(series, slot)
        let start = slot * HistorySlot.raw
        var (held, unread) = ([LocationPoint](), 0)
        if let row = try SealedRow.fetch(db, .locations, place...place).first {
            if let known = row.open(.locations, seal).flatMap({ LocationRow.points($0, from: start) }) {
                held = known
            } else {
                unread = 1
            }
        }
        let times = Set(points.map(\.at))
        let all = (held.filter { !times.contains($0.at) } + points).sorted { $0.at < $1.at }.suffix(mostInRow)
        try SealedRow.write(db, .locations, at: place, LocationRow.bytes(of: all, from: start), seal)
        return unread
    }

    /// Returns the first positions of a person from a time on.
    ///
    /// - Parameters:
    ///   - from: milliseconds since 1970.
    ///   - to: not included.
    public func locations(
        of person: PersonID, from: WallTime, to: WallTime
    ) throws(DiskFailure) -> LocationPage {
        let numbers = locations.filter { $0.value == person }.map(\.key)
        let first = HistorySlot.times.clamp(from.millisecondsSince1970)
        let end = HistorySlot.times.clamp(to.millisecondsSince1970)
        guard let number = numbers.first, first < end else {
            return LocationPage(points: [], next: nil, unreadable: 0)
        }
        return try DiskFailure.translating("reading", path) { [seal] in
            try queue.read { db in
                let slots =
                    HistorySlot.number(
                        of: first, length: HistorySlot.raw)...HistorySlot.number(
                        of: end - 1, length: HistorySlot.raw)
                let places = HistorySlot.places(number, slots)
                let rows = try SealedRow.fetch(
                    db,
                    "SELECT place, key, sealed FROM location WHERE place BETWEEN ? AND ? ORDER BY place LIMIT ?",
                    [places.lowerBound, places.upperBound, Self.rowsOfPage + 1])
                var (points, unread) = ([LocationPoint](), 0)
                for row in rows.prefix(Self.rowsOfPage) {
                    let start = HistorySlot.slot(ofPlace: row.place) * HistorySlot.raw
                    if let kept = row.open(.locations, seal).flatMap({ LocationRow.points($0, from: start) }) {
                        points += kept.filter { first <= $0.at && $0.at < end }
                    } else {
                        unread += 1
                    }
                }
                let next = rows.dropFirst(Self.rowsOfPage).first
                return LocationPage(
                    points: points,
                    next: next.map { HistorySlot.slot(ofPlace: $0.place) * HistorySlot.raw }, unreadable: unread
                )
            }
        }
    }

    /// Deletes some positions older than `age`.
    ///
    /// - Returns: whether there were any; call it again until not.
    public func letGoOfLocations(
        olderThan age: Duration, at now: WallTime, limit: Int = 100
    ) throws(DiskFailure) -> Bool {
        let time = HistorySlot.times.clamp(now.millisecondsSince1970) - age.wholeMilliseconds
        let last = HistorySlot.number(of: time, length: HistorySlot.raw) - 1
        return try DiskFailure.translating("deleting from", path) { [locations] in
            try write { db in
                var deleted = 0
                for number in locations.keys where deleted < limit {
                    let old = HistorySlot.places(number, HistorySlot.slots.lowerBound...last)
                    try db.execute(
                        sql: """
                            DELETE FROM location WHERE place IN
                            (SELECT place FROM location WHERE place BETWEEN ? AND ? LIMIT ?)
                            """, arguments: [old.lowerBound, old.upperBound, limit - deleted])
                    deleted += db.changesCount
                }
                return deleted > 0
            }
        }
    }
}

/// Sealed content of the series of a person's positions.
enum LocationSeries {
    /// No kind of quantity has this name.
    private static let kind = DataKind.location.rawValue

    static func bytes(of person: PersonID) -> [UInt8] {
        var bytes = PackedBytes()
        for text in [person.text, kind] { bytes.put(text: text) }
        return bytes.bytes
    }

    /// Returns nil for another series.
    static func person(_ bytes: [UInt8]) -> PersonID? {
        var reader = PackedReader(bytes)
        guard let person = reader.text().flatMap({ PersonID($0) }), reader.text() == kind, reader.isAtEnd
        else { return nil }
        return person
    }
}

/// Positions of a quarter of an hour as bytes.
private enum LocationRow {
    /// Of a degree: 1.1 cm.
    private static let unitsPerDegree = 10_000_000.0

    static func bytes(of points: some Collection<LocationPoint>, from start: Int64) -> [UInt8] {
        var bytes = PackedBytes()
        bytes.put(varint: UInt64(points.count))
        for point in points {
            bytes.put(signed: point.at - start)
            bytes.put(signed: Int64((point.latitude * unitsPerDegree).rounded()))
            bytes.put(signed: Int64((point.longitude * unitsPerDegree).rounded()))
            // Decimetres; 0 for an unknown error.
            bytes.put(varint: point.accuracyM.map { UInt64(min(max($0 * 10, 1), 1e9).rounded()) } ?? 0)
            bytes.put(text: point.device ?? "")
        }
        return bytes.bytes
    }

    /// Returns nil for bytes that no version has written.
    static func points(_ bytes: [UInt8], from start: Int64) -> [LocationPoint]? {
        var reader = PackedReader(bytes)
        guard let count = reader.varint(), count <= UInt64(bytes.count) else { return nil }
        var points: [LocationPoint] = []
        for _ in 0..<count {
            guard let time = reader.signed(), let latitude = reader.signed(), let longitude = reader.signed(),
                let error = reader.varint(), let device = reader.text(),
                (0..<HistorySlot.raw).contains(time)
            else { return nil }
            points.append(
                LocationPoint(
                    at: start + time, latitude: Double(latitude) / unitsPerDegree,
                    longitude: Double(longitude) / unitsPerDegree,
                    accuracyM: error == 0 ? nil : Double(error) / 10, device: device.isEmpty ? nil : device))
        }
        return reader.isAtEnd ? points : nil
    }
}

extension LocationPoint {
    fileprivate init(_ sample: PositionSample) {
        let device: String? =
            switch sample.source {
            case .wearable(let device): device.text
            case .box: nil
            }
        self.init(
            at: HistorySlot.times.clamp(sample.measured.millisecondsSince1970),
            latitude: sample.coordinates.latitude, longitude: sample.coordinates.longitude,
            accuracyM: sample.horizontalError, device: device)
    }

    fileprivate var slot: Int64 { HistorySlot.number(of: at, length: HistorySlot.raw) }
}
