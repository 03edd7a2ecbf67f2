import FoundationEssentials
import GatewayModel
import SQLDatabase

/// Blocks of readings and of IDs, in one transaction.
struct BlockRows {
    static let migrations = [
        Migration("blocks-1") { db in
            try db.execute(
                sql: """
                    -- By the form: 0 readings of an hour, 1 IDs of a day, 2 IDs of a day of stored records. Begins and ends are the
                    -- times of the readings, so that a search by time decodes few.
                    CREATE TABLE block (
                        series INTEGER NOT NULL REFERENCES series ON DELETE CASCADE, form INTEGER NOT NULL,
                        span INTEGER NOT NULL, part INTEGER NOT NULL, begins INTEGER NOT NULL, ends INTEGER NOT NULL,
                        content BLOB NOT NULL, PRIMARY KEY (series, form, span, part)
                    ) STRICT;
                    """)
            guard db.dialect == .postgres else { return }
            // Packed bytes do not become shorter.
            try db.execute(sql: "ALTER TABLE block ALTER COLUMN content SET STORAGE EXTERNAL")
        }
    ]

    /// Span of a series that an ID belongs to.
    struct Place: Hashable {
        let series: Int64
        let form: BlockKey.Form
        let span: Int64

        init(_ series: Int64, _ form: BlockKey.Form, of id: MessageID) {
            (self.series, self.form) = (series, form)
            span = id.wall.millisecondsSince1970 / form.length
        }

        init(_ series: Int64, _ form: BlockKey.Form, span: Int64) {
            (self.series, self.form, self.span) = (series, form, span)
        }
    }

    /// A row.
    struct Block {
        let key: BlockKey
        let ends: ClosedRange<Int64>
        let content: [UInt8]

        static let columns = "series, form, span, part, begins, ends, content"

        /// Nil for a form of a later version.
        init?(_ row: Row) {
            guard let form = BlockKey.Form(rawValue: row["form"]) else { return nil }
            key = BlockKey(series: row["series"], form: form, span: row["span"], part: row["part"])
            let (begins, ends): (Int64, Int64) = (row["begins"], row["ends"])
            // Ends in another order do not fit the check sum.
            self.ends = min(begins, ends)...max(begins, ends)
            content = Array(row["content"] as Data)
        }

        func readings() throws(DamagedBlock) -> [PackedReading] {
            try ReadingBlock.readings(content, at: key, ends)
        }

        func ids() throws(DamagedBlock) -> [MessageID] { try ReadingBlock.ids(content, at: key, ends) }
    }

    /// Places of one statement: one text is prepared, whatever their number.
    private static let placesOfAStatement = 20

    let db: Database

    // MARK: Looking up

    /// Finds IDs in the blocks of their places.
    ///
    /// - Returns: the ones that are there, and the damaged blocks. The place of a damaged block may have any other ID as well.
    func find(_ wanted: [Place: Set<MessageID>]) throws -> (
        found: [Place: Set<MessageID>], damaged: [Place: DamagedBlock]
    ) {
        var found: [Place: Set<MessageID>] = [:]
        var damaged: [Place: DamagedBlock] = [:]
        let places = Array(wanted.keys)
        let (size, columns) = (Self.placesOfAStatement, Block.columns)
        let values = Array(repeating: "(?, ?, ?)", count: size).joined(separator: ", ")
        for begin in stride(from: 0, to: places.count, by: size) {
            var some = Array(places[begin..<min(begin + size, places.count)])
            some += Array(repeating: some[0], count: size - some.count)
            let rows = try Row.fetchCursor(
                db, sql: "SELECT \(columns) FROM block WHERE (series, form, span) IN (VALUES \(values))",
                arguments: StatementArguments(some.flatMap { [$0.series, $0.form.rawValue, $0.span] }))
            while let row = try rows.next() {
                guard let block = Block(row) else { continue }
                let place = Place(block.key.series, block.key.form, span: block.key.span)
                do throws(DamagedBlock) {
                    found[place, default: []].formUnion(
                        try block.ids().filter { wanted[place]?.contains($0) ?? false })
                } catch { damaged[place] = error }
            }
        }
        return (found, damaged)
    }

    /// Readings of a series in the order of their IDs, after an ID; at most `most`. Also those that are not packed yet.
    func readings(of series: Int64, after: MessageID?, most: Int) throws -> [PackedReading] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT id, time, value, flags, beats FROM sample WHERE series = ? AND id > ? ORDER BY id LIMIT ?
                """, arguments: [series, Data(after?.bytes ?? []), most])
        var readings = rows.compactMap { PackedReading($0) }
        let first = after.map { $0.wall.millisecondsSince1970 / BlockKey.Form.readings.length } ?? 0
        let blocks = try Row.fetchCursor(
            db,
            sql: """
                SELECT \(Block.columns) FROM block WHERE series = ? AND form = 0 AND span >= ? ORDER BY span, part
                """, arguments: [series, first])
        var (packed, span): (Int, Int64?) = (0, nil)
        while let row = try blocks.next(), let block = Block(row) {
            // Those of a later hour follow all readings of this one.
            if packed >= most, span != block.key.span { break }
            let new = try block.readings().filter { reading in after.map { $0 < reading.id } ?? true }
            readings += new
            packed += new.count
            span = block.key.span
        }
        return Array(readings.sorted { $0.id < $1.id }.prefix(most))
    }

    /// Readings of a series from one time until before another, in no order. Also those that are not packed yet.
    func readings(of series: Int64, from begin: Int64, to end: Int64) throws -> [PackedReading] {
        let rows = try Row.fetchAll(
            db,
            sql: "SELECT id, time, value, flags, beats FROM sample WHERE series = ? AND time >= ? AND time < ?",
            arguments: [series, begin, end])
        var readings = rows.compactMap { PackedReading($0) }
        let blocks = try Row.fetchCursor(
            db,
            sql: """
                SELECT \(Block.columns) FROM block WHERE series = ? AND form = 0 AND ends >= ? AND begins < ?
                """, arguments: [series, begin, end])
        while let row = try blocks.next() {
            try readings += Block(row)?.readings().filter { begin <= $0.time && $0.time < end } ?? []
        }
        return readings
    }

    // MARK: Packing

    /// Moves the oldest readings of a series below a limit into blocks, at most `most`. Returns their number.
    func packReadings(of series: Int64, below limit: Data, most: Int) throws -> Int {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT id, time, value, flags, beats FROM sample WHERE series = ? AND id < ? ORDER BY id LIMIT ?
                """, arguments: [series, limit, most])
        guard let last: Data = rows.last?["id"] else { return 0 }
        let readings = rows.compactMap { PackedReading($0) }
        for (place, readings) in Dictionary(grouping: readings, by: { Place(series, .readings, of: $0.id) }) {
            try add(readings, at: place)
        }
        try db.execute(sql: "DELETE FROM sample WHERE series = ? AND id <= ?", arguments: [series, last])
        return rows.count
    }

    /// Removes the oldest unpacked readings of a series below a limit, at most `most`, and keeps their IDs. Returns their number.
    func removeReadings(of series: Int64, below limit: Data, most: Int) throws -> Int {
        let rows = try Row.fetchAll(
            db, sql: "SELECT id, flags FROM sample WHERE series = ? AND id < ? ORDER BY id LIMIT ?",
            arguments: [series, limit, most])
        guard let last: Data = rows.last?["id"] else { return 0 }
        try keepIDs(rows.compactMap { row in MessageID(row).map { ($0, row["flags"]) } }, of: series)
        try db.execute(sql: "DELETE FROM sample WHERE series = ? AND id <= ?", arguments: [series, last])
        return rows.count
    }

    /// Removes the oldest blocks of readings before an hour, until they had `most` readings. Their IDs stay; those of a damaged
    /// block are unknown from then on.
    ///
    /// - Returns: the number of readings, and the damaged blocks.
    func removeBlocks(
        of series: Int64, before hour: Int64, most: Int
    ) throws -> (removed: Int, damaged: [DamagedBlock]) {
        var (removed, damaged): (Int, [DamagedBlock]) = (0, [])
        while removed < most {
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT \(Block.columns) FROM block WHERE series = ? AND form = 0 AND span < ?
                    ORDER BY span, part LIMIT 1
                    """, arguments: [series, hour])
            guard let row, let block = Block(row) else { break }
            switch Result(catching: block.readings) {
            case .success(let readings):
                try keepIDs(readings.map { ($0.id, $0.flags) }, of: series)
                removed += readings.count
            case .failure(let damage):
                let day = block.key.span * BlockKey.Form.readings.length / BlockKey.Form.ids.length
                for form in [BlockKey.Form.ids, .history] {
                    try write(unknown: Place(series, form, span: day))
                }
                damaged.append(damage)
                removed += 1
            }
            try db.execute(
                sql: "DELETE FROM block WHERE series = ? AND form = 0 AND span = ? AND part = ?",
                arguments: [series, block.key.span, block.key.part])
        }
        return (removed, damaged)
    }

    /// Moves the oldest IDs that came late into the blocks of their days, at most `most`. Returns their number.
    func packLateIDs(of series: Int64, history: Bool, most: Int) throws -> Int {
        let rows = try Row.fetchAll(
            db, sql: "SELECT id FROM seen WHERE history = ? AND series = ? ORDER BY id LIMIT ?",
            arguments: [history, series, most])
        guard let last: Data = rows.last?["id"] else { return 0 }
        let flags: StoredSample.Flags = history ? .history : []
        try keepIDs(rows.compactMap { row in MessageID(row).map { ($0, flags.rawValue) } }, of: series)
        try db.execute(
            sql: "DELETE FROM seen WHERE history = ? AND series = ? AND id <= ?",
            arguments: [history, series, last])
        return rows.count
    }

    /// Adds the IDs of readings that go to the blocks of their days.
    private func keepIDs(_ entries: [(id: MessageID, flags: Int64)], of series: Int64) throws {
        let places = Dictionary(grouping: entries) { id, flags in
            Place(
                series, StoredSample.Flags(rawValue: flags).contains(.history) ? .history : .ids, of: id)
        }
        for (place, entries) in places {
            try add(
                entries.map(\.id), at: place, id: { $0 }, weight: { _ in 0 }, unpack: { try? $0.ids() },
                pack: { ids, key in (ReadingBlock.packed(ids, at: key, 0...0), 0...0) })
        }
    }

    private func add(_ readings: [PackedReading], at place: Place) throws {
        try add(
            readings, at: place, id: \.id, weight: { $0.beats?.count ?? 0 }, unpack: { try? $0.readings() },
            pack: { readings, key in
                let times = readings.map(\.time)
                let ends = (times.min() ?? 0)...(times.max() ?? 0)
                return (ReadingBlock.packed(readings, at: key, ends), ends)
            })
    }

    /// Writes the last block of a place again with more entries. Those that find no room in it, or find it damaged, get a block
    /// behind it.
    ///
    /// - Parameter weight: bytes of beats.
    private func add<Entry>(
        _ new: [Entry], at place: Place, id: (Entry) -> MessageID, weight: (Entry) -> Int,
        unpack: (Block) -> [Entry]?, pack: ([Entry], BlockKey) -> ([UInt8], ClosedRange<Int64>)
    ) throws {
        let last = try Row.fetchOne(
            db,
            sql: """
                SELECT \(Block.columns) FROM block WHERE series = ? AND form = ? AND span = ?
                ORDER BY part DESC LIMIT 1
                """, arguments: [place.series, place.form.rawValue, place.span]
        ).flatMap { Block($0) }
        var part = last?.key.part ?? 0
        var entries: [Entry] = []
        if let last {
            let old = unpack(last)
            if let old { entries = old } else { part += 1 }
        }
        entries = Self.merged(entries, new.sorted { id($0) < id($1) }, id: id)
        var (begin, bytes) = (0, 0)
        for index in entries.indices {
            bytes += weight(entries[index])
            let isFull =
                index + 1 - begin == ReadingBlock.mostEntries || bytes >= ReadingBlock.mostBeats
            guard isFull || index == entries.indices.last else { continue }
            let key = BlockKey(series: place.series, form: place.form, span: place.span, part: part)
            let (content, ends) = pack(Array(entries[begin...index]), key)
            try write(content, at: key, ends)
            (begin, bytes, part) = (index + 1, 0, part + 1)
        }
    }

    /// Two lists in their order as one. Of two entries with one ID the first one stays.
    private static func merged<Entry>(
        _ left: [Entry], _ right: [Entry], id: (Entry) -> MessageID
    ) -> [Entry] {
        var (result, place): ([Entry], Int) = ([], 0)
        result.reserveCapacity(left.count + right.count)
        for entry in right {
            while place < left.count, id(left[place]) <= id(entry) {
                result.append(left[place])
                place += 1
            }
            if let last = result.last, id(last) == id(entry) { continue }
            result.append(entry)
        }
        return result + left[place...]
    }

    /// Makes the IDs of a span unknown: an empty block is a damaged one.
    private func write(unknown place: Place) throws {
        let last = try Int64.fetchOne(
            db, sql: "SELECT max(part) FROM block WHERE series = ? AND form = ? AND span = ?",
            arguments: [place.series, place.form.rawValue, place.span])
        let part = last.map { $0 + 1 } ?? 0
        try write(
            [], at: BlockKey(series: place.series, form: place.form, span: place.span, part: part), 0...0)
    }

    private func write(_ content: [UInt8], at key: BlockKey, _ ends: ClosedRange<Int64>) throws {
        try db.execute(
            sql: """
                INSERT INTO block (\(Block.columns)) VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (series, form, span, part) DO UPDATE SET begins = excluded.begins, ends = excluded.ends,
                    content = excluded.content
                """,
            arguments: [
                key.series, key.form.rawValue, key.span, key.part, ends.lowerBound, ends.upperBound,
                Data(content),
            ])
    }

    // MARK: Check

    /// Reads some blocks behind a key, in order.
    ///
    /// - Returns: the damaged ones, and the key of the last one; nil at the end.
    func check(after key: BlockKey?, most: Int) throws -> (damaged: [DamagedBlock], last: BlockKey?) {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT \(Block.columns) FROM block WHERE (series, form, span, part) > (?, ?, ?, ?)
                ORDER BY series, form, span, part LIMIT ?
                """,
            arguments: [
                key?.series ?? -1, key?.form.rawValue ?? 0, key?.span ?? 0, key?.part ?? 0, most,
            ])
        let blocks = rows.compactMap { Block($0) }
        let damaged = blocks.compactMap { block -> DamagedBlock? in
            do throws(DamagedBlock) {
                if block.key.form == .readings { _ = try block.readings() } else { _ = try block.ids() }
                return nil
            } catch { return error }
        }
        return (damaged, blocks.last?.key)
    }
}

extension MessageID {
    fileprivate init?(_ row: Row) { self.init(bytes: Array(row["id"] as Data)) }
}

extension PackedReading {
    /// Nil for an ID of another length.
    fileprivate init?(_ row: Row) {
        guard let id = MessageID(row) else { return nil }
        self.init(
            id: id, time: row["time"], value: row["value"], flags: row["flags"],
            beats: (row["beats"] as Data?).map { Array($0) })
    }
}
