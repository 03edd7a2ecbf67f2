import Accounts
import ContractReading
import FoundationEssentials
import GatewayModel
import ReadingBlocks
import SQLDatabase
import Store

/// Writes of the intake: each batch is one transaction.
struct IntakeLite: IntakeStore {
    static let migrations = [
        Migration("intake-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE policy (
                        gateway TEXT NOT NULL, person TEXT NOT NULL, policy TEXT NOT NULL, accepted INTEGER NOT NULL,
                        at INTEGER NOT NULL, entry INTEGER NOT NULL, PRIMARY KEY (gateway, person, policy)
                    ) STRICT, WITHOUT ROWID;
                    CREATE TABLE dead_letter (
                        id INTEGER PRIMARY KEY AUTOINCREMENT, topic TEXT NOT NULL, payload BLOB NOT NULL,
                        reason TEXT NOT NULL, detail TEXT NOT NULL, at INTEGER NOT NULL
                    ) STRICT;
                    """)
        }
    ]

    /// Series of one house: a flood of invented devices must not fill the table.
    private static let mostSeries = 2_000

    private static let seriesKey = [
        BulkColumn("gateway", .text), BulkColumn("person", .text), BulkColumn("kind", .text),
        BulkColumn("device", .text),
    ]
    private static let seriesLookUp = BulkLookUp("id", in: "series", by: seriesKey)
    // Another batch may insert a series at the same time.
    private static let seriesInsert = BulkInsert(
        into: "series", seriesKey, keyLength: 4, conflict: "ON CONFLICT DO NOTHING")
    private static let policyLookUp = BulkLookUp(
        "accepted", in: "policy",
        by: [BulkColumn("gateway", .text), BulkColumn("person", .text), BulkColumn("policy", .text)])
    private static let sampleInsert = BulkInsert(
        into: "sample",
        [
            BulkColumn("series", .integer), BulkColumn("id", .blob), BulkColumn("time", .integer),
            BulkColumn("value", .real), BulkColumn("flags", .integer), BulkColumn("beats", .blob),
        ], keyLength: 2, conflict: "ON CONFLICT DO NOTHING")
    private static let latestInsert = BulkInsert(
        into: "latest",
        [BulkColumn("series", .integer), BulkColumn("time", .integer), BulkColumn("value", .real)],
        keyLength: 1,
        conflict: """
            ON CONFLICT (series) DO UPDATE SET time = excluded.time, value = excluded.value
                WHERE excluded.time >= latest.time
            """)

    let file: DatabasePool
    let onSOS: @Sendable (SOSReport, Database) throws -> Void
    let onParty: @Sendable (PartyEvent, Database) throws -> DeadLetter.Reason?
    let onRun: @Sendable (RunEvent, Database) throws -> DeadLetter.Reason?
    let onDamage: @Sendable (DamagedBlock) -> Void

    var batchesAtOnce: Int { file.writesAtOnce }

    func keep(_ batch: [IntakeItem], at now: WallTime) throws -> IntakeResult {
        try file.writeBlocking(batch.allSatisfy(\.runsBesideOthers) ? .beside : .alone) { db in
            var writer = try BatchWriter(
                db: db, now: now, onSOS: onSOS, onParty: onParty, onRun: onRun, onDamage: onDamage)
            try writer.prepare(batch)
            for item in batch { try writer.write(item) }
            return try writer.finish()
        }
    }

    func houseKey(of gateway: GatewayID) throws -> String? {
        try file.readBlocking { db in
            try String.fetchOne(
                db, sql: "SELECT key FROM house WHERE gateway = ?", arguments: [gateway.text])
        }
    }

    func deadLetters(most: Int) async throws -> [DeadLetter] {
        try await file.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM dead_letter ORDER BY id DESC LIMIT ?", arguments: [most])
                .compactMap { row in
                    guard let reason = DeadLetter.Reason(rawValue: row["reason"]) else { return nil }
                    return DeadLetter(
                        topic: row["topic"], payload: Array(row["payload"] as Data), reason: reason,
                        detail: row["detail"], at: WallTime(row["at"]))
                }
        }
    }

    /// State of one transaction.
    private struct BatchWriter {
        private struct SeriesKey: Hashable {
            let subject: HousePerson
            let kind: QuantityKind
            let device: DeviceID

            /// In the order of `seriesKey`.
            var row: [DatabaseValue] {
                [
                    .text(subject.gateway.text), .text(subject.person.text), .text(kind.rawValue),
                    .text(device.text),
                ]
            }
        }

        private struct SpanKey: Hashable {
            let series, span: Int64
        }

        private struct Span {
            var count = 0
            var sum = 0.0
            var min = Double.infinity
            var max = -Double.infinity

            mutating func add(_ value: Double) {
                count += 1
                sum += value
                min = Swift.min(min, value)
                max = Swift.max(max, value)
            }
        }

        let db: Database
        let now: WallTime
        let onSOS: @Sendable (SOSReport, Database) throws -> Void
        let onParty: @Sendable (PartyEvent, Database) throws -> DeadLetter.Reason?
        let onRun: @Sendable (RunEvent, Database) throws -> DeadLetter.Reason?
        let onDamage: @Sendable (DamagedBlock) -> Void
        private var result = IntakeResult()
        private var series: [SeriesKey: Int64?] = [:]
        /// Readings whose newness is found by their insertion at the end, in the order of the batch.
        private var pending: [(sample: StoredSample, series: Int64, isLate: Bool)] = []
        private var withdrawn: [HousePerson: Bool] = [:]
        private var minutes: [SpanKey: Span] = [:]
        private var hours: [SpanKey: Span] = [:]
        private let kept: KeptSince
        private var newest: [Int64: (time: Int64, value: Double)] = [:]
        private var hasDeadLetters = false

        init(
            db: Database, now: WallTime, onSOS: @escaping @Sendable (SOSReport, Database) throws -> Void,
            onParty: @escaping @Sendable (PartyEvent, Database) throws -> DeadLetter.Reason?,
            onRun: @escaping @Sendable (RunEvent, Database) throws -> DeadLetter.Reason?,
            onDamage: @escaping @Sendable (DamagedBlock) -> Void
        ) throws {
            (self.db, self.now, self.onSOS, self.onParty, self.onRun) = (db, now, onSOS, onParty, onRun)
            self.onDamage = onDamage
            kept = try RetentionLite.kept(db)
        }

        /// Reads the policies and the series of the batch at once, and creates the series that are new.
        mutating func prepare(_ batch: [IntakeItem]) throws {
            var keys: Set<SeriesKey> = []
            for case .sample(let sample) in batch { keys.formUnion(Self.seriesKeys(of: sample)) }
            let subjects = Array(Set(keys.map(\.subject)))
            let policies = try db.lookUp(
                subjects.map { [.text($0.gateway.text), .text($0.person.text), .text("data-policy")] },
                by: IntakeLite.policyLookUp)
            for (subject, accepted) in zip(subjects, policies) { withdrawn[subject] = accepted == .integer(0) }
            try findSeries(Array(keys))
            try createSeries(of: batch)
        }

        private mutating func findSeries(_ keys: [SeriesKey]) throws {
            let numbers = try db.lookUp(keys.map(\.row), by: IntakeLite.seriesLookUp)
            for (key, number) in zip(keys, numbers) {
                if case .integer(let number)? = number { series[key] = .some(number) }
            }
        }

        /// Creates the new series of readings that are kept. After a decision of the same batch `number(of:)` creates them, one
        /// by one: a reading before it and one behind it may have another right.
        private mutating func createSeries(of batch: [IntakeItem]) throws {
            for case .decision in batch { return }
            var new: [SeriesKey] = []
            var sought: Set<SeriesKey> = []
            for case .sample(let sample) in batch {
                guard try !isWithdrawn(sample.subject), isInTime(sample) else { continue }
                for key in Self.seriesKeys(of: sample) where series[key] == nil && sought.insert(key).inserted {
                    new.append(key)
                }
            }
            try create(new)
        }

        /// Creates series as far as their houses have room for them.
        private mutating func create(_ keys: [SeriesKey]) throws {
            var room: [GatewayID: Int] = [:]
            for gateway in Set(keys.map(\.subject.gateway)) {
                let count = try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM series WHERE gateway = ?", arguments: [gateway.text])
                room[gateway] = IntakeLite.mostSeries - (count ?? 0)
            }
            let fitting = keys.filter { key in
                room[key.subject.gateway, default: 0] -= 1
                return room[key.subject.gateway, default: 0] >= 0
            }
            guard !fitting.isEmpty else { return }
            try db.insert(fitting.map(\.row), by: IntakeLite.seriesInsert)
            try findSeries(fitting)
        }

        private static func seriesKeys(of sample: StoredSample) -> [SeriesKey] {
            var keys = [SeriesKey(subject: sample.subject, kind: sample.kind, device: sample.device)]
            if !sample.beatIntervals.isEmpty, !sample.flags.contains(.contactLost) {
                keys.append(SeriesKey(subject: sample.subject, kind: .rrInterval, device: sample.device))
            }
            return keys
        }

        private func isInTime(_ sample: StoredSample) -> Bool {
            sample.id.wall >= (sample.flags.contains(.history) ? kept.history : kept.live)
        }

        mutating func write(_ item: IntakeItem) throws {
            switch item {
            case .sample(let sample): try write(sample)
            case .decision(let decision): try write(decision)
            case .answer(let answer):
                try LinksLite.apply(answer, db)
                try CommandStates.apply(answer, db)
                _ = try onRun(.answer(answer), db)
            case .sos(let report):
                try onSOS(report, db)
                // For the person's own chart. The desk has its call by another right.
                let subject = HousePerson(report.gateway, report.message.person)
                if try !isWithdrawn(subject) { try RecordsLite.keep(report, db) }
            case .party(let event):
                if let reason = try onParty(event, db) { result.setAside[reason, default: 0] += 1 }
            case .run(let report):
                if let reason = try onRun(.message(report), db) { result.setAside[reason, default: 0] += 1 }
            case .gap(let gap):
                try record(gap.subject, gap.id) { try RecordsLite.keep(gap, $0) }
            case .notice(let notice):
                try record(notice.subject, notice.id) { try RecordsLite.keep(notice, $0) }
            case .document(let document):
                try record(document.subject, document.id) { try RecordsLite.keep(document, $0) }
            case .fact(let fact):
                if try !FactsLite.keep(fact, at: now, db) { result.setAside[.noGrant, default: 0] += 1 }
            case .vital(let vital):
                if let reason = try onRun(.vital(vital), db) { result.setAside[reason, default: 0] += 1 }
            case .house(let gateway, let report): try RecordsLite.keep(report, of: gateway, at: now, db)
            case .unusable(let letter): try setAside(letter)
            }
        }

        /// - Parameter keep: returns whether the record is new.
        private mutating func record(
            _ subject: HousePerson, _ id: MessageID, keep: (Database) throws -> Bool
        ) throws {
            guard try !isWithdrawn(subject) else {
                result.setAside[.policyWithdrawn, default: 0] += 1
                return
            }
            guard id.wall >= kept.history else { return try setAside(.late(of: subject, at: now)) }
            if try !keep(db) { result.repeated += 1 }
        }

        private mutating func write(_ sample: StoredSample) throws {
            guard try !isWithdrawn(sample.subject) else {
                result.setAside[.policyWithdrawn, default: 0] += 1
                return
            }
            guard isInTime(sample) else { return try setAside(.late(of: sample.subject, at: now)) }
            let key = SeriesKey(subject: sample.subject, kind: sample.kind, device: sample.device)
            guard let number = try number(of: key) else {
                try setAside(
                    DeadLetter(
                        topic: "\(sample.subject.gateway)", payload: [], reason: .tooManySeries,
                        detail: "the house has \(IntakeLite.mostSeries) series", at: now))
                return
            }
            pending.append((sample, number, sample.id.wall < kept.raw))
        }

        private mutating func count(_ sample: StoredSample, _ number: Int64) throws {
            result.fresh.append(sample)
            guard !sample.flags.contains(.contactLost) else { return }
            var time = sample.time.millisecondsSince1970
            summarise(sample.value, number, time)
            guard !sample.beatIntervals.isEmpty else { return }
            let beats = SeriesKey(subject: sample.subject, kind: .rrInterval, device: sample.device)
            guard let number = try self.number(of: beats) else { return }
            // The last interval ends with the reading, each earlier one at the begin of the next.
            for interval in sample.beatIntervals.prefix(BeatBytes.most).reversed() {
                summarise(interval, number, time)
                time -= Int64(min(max(interval, 0), 60_000))
            }
        }

        /// Keeps the readings, and the ID alone of one that comes after its time. One that was here before counts as
        /// repeated; one of which a damaged block does not tell is set aside.
        private mutating func insertReadings() throws {
            let (packed, unknown) = try packedReadings()
            let inTime = pending.indices.filter { index in
                !pending[index].isLate && !packed.contains(index) && unknown[index] == nil
            }
            let isNew = try db.insertNew(
                inTime.map { index in
                    let (sample, series, _) = pending[index]
                    return [
                        .integer(series), .blob(Data(sample.id.bytes)),
                        .integer(sample.time.millisecondsSince1970), .real(sample.value),
                        .integer(Int64(sample.flags.rawValue)),
                        BeatBytes.bytes(sample.beatIntervals).map { .blob($0) } ?? .null,
                    ]
                }, by: IntakeLite.sampleInsert)
            let inserted = Set(zip(inTime, isNew).filter(\.1).map(\.0))
            for (index, (sample, series, isLate)) in pending.enumerated() {
                if packed.contains(index) {
                    countRepeated()
                } else if let damage = unknown[index] {
                    try setAside(.damaged(damage, of: sample.subject, at: now))
                } else if try isLate ? isUnseen(sample, series) : inserted.contains(index) {
                    try count(sample, series)
                } else {
                    countRepeated()
                }
            }
            for damage in Set(unknown.values) { db.afterCommit { [onDamage] in onDamage(damage) } }
        }

        /// Looks for the readings of the batch that may be in blocks.
        ///
        /// - Returns: those that are in one, and those of which a damaged block does not tell, by their places in `pending`.
        private func packedReadings() throws -> (packed: Set<Int>, unknown: [Int: DamagedBlock]) {
            var places: [Int: [BlocksLite.Place]] = [:]
            var wanted: [BlocksLite.Place: Set<MessageID>] = [:]
            for (index, (sample, series, isLate)) in pending.enumerated()
            where isLate || sample.id.wall < kept.packed {
                // The reading itself may wait to be removed.
                var own = [BlocksLite.Place(series, .readings, of: sample.id)]
                if isLate {
                    let form: BlockKey.Form = sample.flags.contains(.history) ? .history : .ids
                    own.append(BlocksLite.Place(series, form, of: sample.id))
                }
                places[index] = own
                for place in own { wanted[place, default: []].insert(sample.id) }
            }
            let (found, damaged) = try BlocksLite(db: db).find(wanted)
            let packed = places.filter { index, places in
                places.contains { found[$0]?.contains(pending[index].sample.id) ?? false }
            }
            return (
                Set(packed.keys),
                places.compactMapValues { places in places.lazy.compactMap { damaged[$0] }.first }
            )
        }

        private mutating func countRepeated() { result.repeated += 1 }

        private func isUnseen(_ sample: StoredSample, _ series: Int64) throws -> Bool {
            let id = Data(sample.id.bytes)
            // The reading itself may wait to be removed.
            let isHere = try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM sample WHERE series = ? AND id = ?)",
                arguments: [series, id])
            guard isHere != true else { return false }
            try db.execute(
                sql: "INSERT INTO seen (history, series, id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                arguments: [sample.flags.contains(.history), series, id])
            return db.changesCount == 1
        }

        /// Adds a value to the spans that are kept, and to the newest values.
        private mutating func summarise(_ value: Double, _ series: Int64, _ time: Int64) {
            if time >= kept.minutes.millisecondsSince1970 {
                let key = SpanKey(series: series, span: time / RollUp.minute.rawValue)
                minutes[key, default: Span()].add(value)
            }
            if time >= kept.hours.millisecondsSince1970 {
                let key = SpanKey(series: series, span: time / RollUp.hour.rawValue)
                hours[key, default: Span()].add(value)
            }
            if newest[series].map({ $0.time <= time }) ?? true { newest[series] = (time, value) }
        }

        private mutating func number(of key: SeriesKey) throws -> Int64? {
            if let known = series[key] { return known }
            // Another batch may have created it since.
            try findSeries([key])
            if series[key] == nil { try create([key]) }
            let number = series[key] ?? nil
            series[key] = .some(number)
            return number
        }

        private mutating func isWithdrawn(_ subject: HousePerson) throws -> Bool {
            if let known = withdrawn[subject] { return known }
            let accepted = try Bool.fetchOne(
                db,
                sql: "SELECT accepted FROM policy WHERE gateway = ? AND person = ? AND policy = 'data-policy'",
                arguments: [subject.gateway.text, subject.person.text])
            // Without a receipt the house is believed: it sends nothing without the person's consent, and the receipt
            // may come after the first readings.
            let result = accepted == false
            withdrawn[subject] = result
            return result
        }

        private mutating func write(_ decision: DecisionRecord) throws {
            try db.announce(StoreNotices.endPages(of: decision.subject))
            switch decision.matter {
            // Each request is of one of them.
            case .request(let request):
                try LinksLite.apply(decision, on: request, db)
                try FactsLite.apply(decision, on: request, db)
                _ = try onRun(.decision(decision), db)
            case .policy(let policy):
                try db.execute(
                    sql: """
                        INSERT INTO policy (gateway, person, policy, accepted, at, entry) VALUES (?, ?, ?, ?, ?, ?)
                        ON CONFLICT (gateway, person, policy) DO UPDATE SET accepted = excluded.accepted,
                            at = excluded.at, entry = excluded.entry
                            WHERE excluded.entry > policy.entry
                        """,
                    arguments: [
                        decision.subject.gateway.text, decision.subject.person.text, policy,
                        decision.verdict == .accepted, decision.at.millisecondsSince1970, decision.entry,
                    ])
                withdrawn[decision.subject] = nil
            }
        }

        private mutating func setAside(_ letter: DeadLetter) throws {
            result.setAside[letter.reason, default: 0] += 1
            hasDeadLetters = true
            try db.execute(
                sql: "INSERT INTO dead_letter (topic, payload, reason, detail, at) VALUES (?, ?, ?, ?, ?)",
                arguments: [
                    letter.topic, Data(letter.payload), letter.reason.rawValue, letter.detail,
                    letter.at.millisecondsSince1970,
                ])
        }

        mutating func finish() throws -> IntakeResult {
            try insertReadings()
            try write(minutes, "minute")
            try write(hours, "hour")
            try db.insert(
                newest.map { [.integer($0), .integer($1.time), .real($1.value)] }, by: IntakeLite.latestInsert)
            if hasDeadLetters {
                try db.execute(
                    sql: "DELETE FROM dead_letter WHERE id <= (SELECT max(id) FROM dead_letter) - ?",
                    arguments: [DeadLetter.kept])
            }
            return result
        }

        private func write(_ spans: [SpanKey: Span], _ name: StaticString) throws {
            let insertion = BulkInsert(
                into: "\(name)",
                [
                    BulkColumn("series", .integer), BulkColumn("\(name)", .integer),
                    BulkColumn("count", .integer),
                    BulkColumn("sum", .real), BulkColumn("min", .real), BulkColumn("max", .real),
                ], keyLength: 2,
                conflict: """
                    ON CONFLICT (series, \(name)) DO UPDATE SET count = \(name).count + excluded.count,
                        sum = \(name).sum + excluded.sum, min = \(db.dialect.least("\(name).min", "excluded.min")),
                        max = \(db.dialect.greatest("\(name).max", "excluded.max"))
                    """)
            try db.insert(
                spans.map { key, value in
                    [
                        .integer(key.series), .integer(key.span), .integer(Int64(value.count)),
                        .real(value.sum),
                        .real(value.min), .real(value.max),
                    ]
                }, by: insertion)
        }
    }
}

extension IntakeItem {
    /// Whether its statements give the same result before and after those of other such pieces: insertions by a unique key,
    /// additions, and states that only a newer message replaces. All others read before they write.
    fileprivate var runsBesideOthers: Bool {
        switch self {
        case .sample, .gap, .notice, .document, .house, .unusable: true
        case .decision, .answer, .sos, .party, .run, .fact, .vital: false
        }
    }
}

extension DeadLetter {
    fileprivate static func damaged(
        _ damage: DamagedBlock, of subject: HousePerson, at now: WallTime
    ) -> DeadLetter {
        DeadLetter(
            topic: "\(subject.gateway)", payload: [], reason: .damagedBlock, detail: "\(damage)", at: now)
    }

    fileprivate static func late(of subject: HousePerson, at now: WallTime) -> DeadLetter {
        DeadLetter(
            topic: "\(subject.gateway)", payload: [], reason: .tooLate,
            detail: "older than the IDs that are kept: late_days of [retention]", at: now)
    }
}
