public import Accounts
public import ContractReading
import FoundationEssentials
public import GatewayModel
import SQLDatabase

/// Writes of the intake: each batch is one transaction.
public struct IntakeStore: Sendable {
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

    /// Number of calls of `keep` that are worth running at the same time, each with other houses.
    public var batchesAtOnce: Int { file.writesAtOnce }

    /// Keeps all of a batch in one commit. Blocks until the disk has it; from any thread.
    public func keep(_ batch: [IntakeItem], at now: WallTime) throws -> IntakeResult {
        try file.writeBlocking(batch.allSatisfy(\.runsBesideOthers) ? .beside : .alone) { db in
            var writer = try BatchWriter(
                db: db, now: now, onSOS: onSOS, onParty: onParty, onRun: onRun, onDamage: onDamage)
            try writer.prepare(batch)
            for item in batch { try writer.write(item) }
            return try writer.finish()
        }
    }

    /// Blocks; from any thread.
    public func houseKey(of gateway: GatewayID) throws -> String? {
        try file.readBlocking { db in
            try String.fetchOne(
                db, sql: "SELECT key FROM house WHERE gateway = ?", arguments: [gateway.text])
        }
    }

    /// Newest first.
    public func deadLetters(most: Int) async throws -> [DeadLetter] {
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
            kept = try RetentionStore.kept(db)
        }

        /// Reads the policies and the series of the batch at once, and creates the series that are new.
        mutating func prepare(_ batch: [IntakeItem]) throws {
            var keys: Set<SeriesKey> = []
            for case .sample(let sample) in batch { keys.formUnion(Self.seriesKeys(of: sample)) }
            let subjects = Array(Set(keys.map(\.subject)))
            let policies = try db.lookUp(
                subjects.map { [.text($0.gateway.text), .text($0.person.text), .text("data-policy")] },
                by: IntakeStore.policyLookUp)
            for (subject, accepted) in zip(subjects, policies) { withdrawn[subject] = accepted == .integer(0) }
            try findSeries(Array(keys))
            try createSeries(of: batch)
        }

        private mutating func findSeries(_ keys: [SeriesKey]) throws {
            let numbers = try db.lookUp(keys.map(\.row), by: IntakeStore.seriesLookUp)
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
                room[gateway] = IntakeStore.mostSeries - (count ?? 0)
            }
            let fitting = keys.filter { key in
                room[key.subject.gateway, default: 0] -= 1
                return room[key.subject.gateway, default: 0] >= 0
            }
            guard !fitting.isEmpty else { return }
            try db.insert(fitting.map(\.row), by: IntakeStore.seriesInsert)
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
                try LinkStore.apply(answer, db)
                try CommandStates.apply(answer, db)
                _ = try onRun(.answer(answer), db)
            case .sos(let report):
                try onSOS(report, db)
                // For the person's own chart. The desk has its call by another right.
                let subject = HousePerson(report.gateway, report.message.person)
                if try !isWithdrawn(subject) { try RecordStore.keep(report, db) }
            case .party(let event):
                if let reason = try onParty(event, db) { result.setAside[reason, default: 0] += 1 }
            case .run(let report):
                if let reason = try onRun(.message(report), db) { result.setAside[reason, default: 0] += 1 }
            case .gap(let gap):
                try record(gap.subject, gap.id) { try RecordStore.keep(gap, $0) }
            case .notice(let notice):
                try record(notice.subject, notice.id) { try RecordStore.keep(notice, $0) }
            case .document(let document):
                try record(document.subject, document.id) { try RecordStore.keep(document, $0) }
            case .fact(let fact):
                if try !FactStore.keep(fact, at: now, db) { result.setAside[.noGrant, default: 0] += 1 }
            case .vital(let vital):
                if let reason = try onRun(.vital(vital), db) { result.setAside[reason, default: 0] += 1 }
            case .house(let gateway, let report): try RecordStore.keep(report, of: gateway, at: now, db)
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
                        detail: "the house has \(IntakeStore.mostSeries) series", at: now))
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
                }, by: IntakeStore.sampleInsert)
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
            var places: [Int: [BlockRows.Place]] = [:]
            var wanted: [BlockRows.Place: Set<MessageID>] = [:]
            for (index, (sample, series, isLate)) in pending.enumerated()
            where isLate || sample.id.wall < kept.packed {
                // The reading itself may wait to be removed.
                var own = [BlockRows.Place(series, .readings, of: sample.id)]
                if isLate {
                    let form: BlockKey.Form = sample.flags.contains(.history) ? .history : .ids
                    own.append(BlockRows.Place(series, form, of: sample.id))
                }
                places[index] = own
                for place in own { wanted[place, default: []].insert(sample.id) }
            }
            let (found, damaged) = try BlockRows(db: db).find(wanted)
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
                try LinkStore.apply(decision, on: request, db)
                try FactStore.apply(decision, on: request, db)
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
                newest.map { [.integer($0), .integer($1.time), .real($1.value)] }, by: IntakeStore.latestInsert)
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

/// One piece of a batch from the broker.
public enum IntakeItem: Hashable, Sendable {
    case sample(StoredSample)
    case decision(DecisionRecord)
    case answer(CommandAnswer)
    case sos(SOSReport)
    case party(PartyEvent)
    case run(RunReport)
    case gap(StoredGap)
    case notice(StoredNotice)
    case document(StoredDocument)
    case fact(StoredFact)
    case vital(SharedVital)
    case house(GatewayID, HouseReport)
    case unusable(DeadLetter)
}

/// Decision of a house, from a receipt with a good signature.
public struct DecisionRecord: Hashable, Sendable {
    public enum Matter: Hashable, Sendable {
        case request(RequestID)
        /// `data-policy` or `automated-sos`.
        case policy(String)
    }

    public enum Verdict: String, Hashable, Sendable { case accepted, refused, withdrawn, expired }

    public let subject: HousePerson
    public let matter: Matter
    public let verdict: Verdict
    public let at: WallTime
    /// Number in the house's ledger: later decisions have higher ones.
    public let entry: Int64
    /// Number of the grant of an accepted request; nil for one without data.
    public let grant: Int64?

    public init(
        subject: HousePerson, matter: Matter, verdict: Verdict, at: WallTime, entry: Int64,
        grant: Int64? = nil
    ) {
        (self.subject, self.matter, self.verdict) = (subject, matter, verdict)
        (self.at, self.entry, self.grant) = (at, entry, grant)
    }
}

/// Answer of a house to a command, from a receipt with a good signature.
public struct CommandAnswer: Hashable, Sendable {
    public let gateway: GatewayID
    /// `jti` of the command.
    public let command: String
    /// Nil unless the house refused the command.
    public let refusal: String?
    public let at: WallTime

    public init(gateway: GatewayID, command: String, refusal: String?, at: WallTime) {
        (self.gateway, self.command, self.refusal, self.at) = (gateway, command, refusal, at)
    }
}

/// Event about a third party, from a registered house.
public enum PartyEvent: Hashable, Sendable {
    /// From a receipt with a good signature.
    case answer(PartyID, RequestID, by: HousePerson, RequestAnswer, at: WallTime)
    case copy(SharedCopy)
}

/// Copy of a person's data, as a house addressed it to a third party.
public struct SharedCopy: Hashable, Sendable {
    public let party: PartyID
    public let subject: HousePerson
    public let kind: String
    /// Nil where the copy itself has none.
    public let id: MessageID?
    /// Number of the grant; nil where the copy does not show it.
    public let grant: Int64?
    /// The request that it answers; nil where the copy does not show it.
    public let request: RequestID?
    public let topic: String
    /// As it came.
    public let payload: [UInt8]
    public let received: WallTime
    /// Time from which its life counts: that of its oldest value, and at the latest its arrival.
    public let measured: WallTime

    /// - Parameter measured: nil where the copy shows none.
    public init(
        party: PartyID, subject: HousePerson, kind: String, id: MessageID?, grant: Int64?,
        request: RequestID? = nil, topic: String, payload: [UInt8], received: WallTime, measured: WallTime?
    ) {
        self.request = request
        (self.party, self.subject, self.kind, self.id) = (party, subject, kind, id)
        // A clock of a house that is ahead must not keep it longer.
        self.measured = min(measured ?? received, received)
        (self.grant, self.topic, self.payload, self.received) = (grant, topic, payload, received)
    }
}

/// Message about a runner of a run.
public struct RunReport: Hashable, Sendable {
    public enum Message: Hashable, Sendable {
        case passing(PassingRecord)
        case position(RunnerPosition)
        case news(RunnerNewsRecord)
        case correction(CorrectionRecord)
    }

    public let gateway: GatewayID
    public let run: RunID
    public let bib: Bib
    public let message: Message
    /// As it came.
    public let payload: [UInt8]

    public init(gateway: GatewayID, run: RunID, bib: Bib, message: Message, payload: [UInt8]) {
        (self.gateway, self.run, self.bib) = (gateway, run, bib)
        (self.message, self.payload) = (message, payload)
    }

    /// Whether it ends the enrolment of the runner.
    public var endsEnrolment: Bool {
        if case .news(let news) = message, case .left = news.event { true } else { false }
    }
}

/// Reading that a house sends for the spectators of a run, by a grant.
public struct SharedVital: Hashable, Sendable {
    public let subject: HousePerson
    public let grant: Int64
    public let kind: QuantityKind
    /// In the unit of the kind.
    public let value: Double
    public let time: WallTime

    public init(subject: HousePerson, grant: Int64, kind: QuantityKind, value: Double, time: WallTime) {
        (self.subject, self.grant, self.kind) = (subject, grant, kind)
        (self.value, self.time) = (value, time)
    }
}

/// Event about a run, from a registered house.
public enum RunEvent: Hashable, Sendable {
    case message(RunReport)
    case vital(SharedVital)
    /// From a receipt with a good signature. It may be about a request of another capability.
    case decision(DecisionRecord)
    /// From a receipt with a good signature. It may be about a command of another capability.
    case answer(CommandAnswer)
}

/// Message of an emergency.
public struct SOSReport: Hashable, Sendable {
    public let gateway: GatewayID
    public let message: EmergencyMessage
    /// As it came.
    public let payload: [UInt8]
    /// Time of its arrival here.
    public let at: WallTime

    public init(gateway: GatewayID, message: EmergencyMessage, payload: [UInt8], at: WallTime) {
        (self.gateway, self.message, self.payload, self.at) = (gateway, message, payload, at)
    }
}

/// Message that cannot be used, with the reason. The table of them is bounded.
public struct DeadLetter: Hashable, Sendable {
    public enum Reason: String, CaseIterable, Hashable, Sendable {
        case unreadable, unknownTopic, unknownHouse, unknownKind, future, tooLarge, badSignature, tooManySeries
        /// So old that nobody can tell any more whether it came before.
        case tooLate
        /// The block that would tell whether it came before is damaged; it is not kept.
        case damagedBlock
        /// The person has withdrawn the data policy; the payload is not kept.
        case policyWithdrawn
        /// A copy for a party that is not approved here; it is not kept.
        case noParty
        /// A copy that no open request of the party asks for; it is not kept.
        case noGrant
        /// A message of a run that has no such box, no such runner, or a box of another checkpoint; it is not kept.
        case noRun
    }

    /// Bytes of a payload that are kept.
    public static let keptBytes = 2_048
    /// Messages that are kept; the oldest go first.
    public static let kept = 1_000

    public let topic: String
    public let payload: [UInt8]
    public let reason: Reason
    /// For the operator. It repeats no value of the payload.
    public let detail: String
    public let at: WallTime

    public init(topic: String, payload: [UInt8], reason: Reason, detail: String, at: WallTime) {
        (self.topic, self.payload) = (String(topic.prefix(300)), Array(payload.prefix(Self.keptBytes)))
        (self.reason, self.detail, self.at) = (reason, detail, at)
    }
}

/// Outcome of a batch.
public struct IntakeResult: Hashable, Sendable {
    /// Readings that were not there before.
    public var fresh: [StoredSample] = []
    /// Messages about persons that the store already had.
    public var repeated = 0
    public var setAside: [DeadLetter.Reason: Int] = [:]

    public init() {}
}
