import Accounts
import Foundation
import GatewayModel
import SQLDatabase
import SeededRandom
import Store
import StoreSamples
import Synchronization
import TestSupport
import Testing

/// Readings and IDs in blocks, on each engine.
struct BlockTests {
    private static let noon = WallTime(millisecondsSince1970: 1_772_366_400_000)
    private let noon = noon
    private let life = Retention(
        raw: .seconds(7 * 86_400), minutes: .seconds(90 * 86_400), hours: .seconds(400 * 86_400),
        late: .seconds(100 * 86_400))

    /// A database, and the stores of one process.
    private final class Trial: Sendable {
        let database: TestDatabase
        let file: DatabasePool
        let stores: Stores
        private let found = FoundDamages()

        var reported: [DamagedBlock] { found.all }

        init(_ engine: TestEngine) throws {
            database = try TestDatabase(engine, migrations: Stores.migrations + AuditLog.migrations)
            file = try database.open()
            stores = Stores(in: file, onDamage: { [found] in found.add($0) })
        }

        deinit { try? file.close() }

        func count(_ sql: String) throws -> Int {
            try file.readBlocking { try Int.fetchOne($0, sql: sql) ?? 0 }
        }

        /// Changes a byte of the content of blocks.
        func damage(_ condition: String) throws {
            try file.writeBlocking { db in
                for row in try Row.fetchAll(
                    db, sql: "SELECT span, part, form, content FROM block WHERE \(condition)")
                {
                    var content: Data = row["content"]
                    content[content.startIndex + content.count / 2] ^= 4
                    try db.execute(
                        sql: "UPDATE block SET content = ? WHERE form = ? AND span = ? AND part = ?",
                        arguments: [content, row["form"] as Int, row["span"] as Int64, row["part"] as Int])
                }
            }
        }
    }

    private final class FoundDamages: Sendable {
        private let found = Mutex<[DamagedBlock]>([])
        var all: [DamagedBlock] { found.withLock { $0 } }
        func add(_ damage: DamagedBlock) { found.withLock { $0.append(damage) } }
    }

    private func advance(_ trial: Trial, to time: WallTime, most: Int = 1_000) async throws {
        try await trial.stores.retention.raise(life.limits(at: time))
        while try await trial.stores.retention.removeSome(most: most) > 0 {}
    }

    private func samples(_ count: Int, from time: WallTime, every seconds: Int = 1, first: Int = 0)
        -> [StoredSample]
    {
        (0..<count).map { number in
            StoredSample(
                subject: .maria, kind: .heartRate, device: DeviceID("strap")!,
                id: .sample(first + number, at: time.later(number * seconds)),
                time: time.later(number * seconds),
                value: 60 + Double(number % 9) / 10, flags: number % 7 == 0 ? [.app, .questionable] : [],
                beatIntervals: number % 3 == 0 ? [812.5, 799] : [])
        }
    }

    private func keep(_ samples: [StoredSample], _ trial: Trial, at time: WallTime) throws -> IntakeResult {
        try trial.stores.intake.keep(samples.map { .sample($0) }, at: time)
    }

    @Test(arguments: TestEngine.allCases)
    func `packed readings are read as they came, page by page and by time`(_ engine: TestEngine) async throws {
        let trial = try Trial(engine)
        // Three hours, of which the last one is not packed.
        let all = samples(300, from: noon, every: 36)
        _ = try keep(all, trial, at: noon.later(3 * 3_600))
        try await advance(trial, to: noon.later(3 * 3_600))
        #expect(try trial.count("SELECT count(*) FROM block WHERE form = 0") == 2)
        #expect(try trial.count("SELECT count(*) FROM sample") == 100)
        for most in [1, 7, 100, 101, 500] {
            var (found, last): ([StoredSample], MessageID?) = ([], nil)
            while case let page = try await trial.stores.samples.samples(
                of: .maria, .heartRate, after: last, most: most), !page.isEmpty
            {
                #expect(page.count <= most)
                found += page
                last = page.last?.id
            }
            #expect(found == all, "pages of \(most)")
        }
        let series = try #require(try await trial.stores.samples.series(of: .maria).first)
        #expect(
            try await trial.stores.samples.samples(of: .maria, in: series, after: all[99].id, most: 2)
                == Array(all[100...101]))
        #expect(
            try await trial.stores.samples.samples(of: .paolo, in: series, after: nil, most: 2).isEmpty,
            "a series of another person")
        #expect(
            try await trial.stores.samples.samples(
                of: .maria, .heartRate, from: all[90].time, to: all[210].time, most: 500)
                == Array(all[90..<210]))
        #expect(try await trial.stores.retention.oldest().raw == noon)
    }

    @Test(arguments: TestEngine.allCases)
    func `a repetition is found among fresh rows, packed readings, late IDs and packed IDs`(
        _ engine: TestEngine
    ) async throws {
        let trial = try Trial(engine)
        let all = samples(200, from: noon, every: 36)
        for day in [0, 1, 6, 8, 50, 99] {
            let now = noon.later(day * 86_400 + 7_200)
            let result = try keep(all, trial, at: now)
            #expect(result.fresh.count == (day == 0 ? 200 : 0))
            #expect(result.repeated == (day == 0 ? 0 : 200), "day \(day)")
            try await advance(trial, to: now)
            #expect(try keep(all, trial, at: now).repeated == 200, "day \(day)")
        }
        #expect(try trial.count("SELECT count(*) FROM sample") == 0)
        #expect(try trial.count("SELECT count(*) FROM block WHERE form = 1") == 1)
        // New ones of the same hour, after the readings are gone.
        let late = samples(50, from: noon, every: 36, first: 1_000)
        let now = noon.later(99 * 86_400)
        #expect(try keep(late, trial, at: now).fresh.count == 50)
        #expect(try keep(late + all, trial, at: now).repeated == 250)
        #expect(try trial.count("SELECT count(*) FROM seen") == 50)
        try await advance(trial, to: now)
        #expect(try trial.count("SELECT count(*) FROM seen") == 0)
        #expect(try keep(late + all, trial, at: now).repeated == 250)
        try await advance(trial, to: noon.later(102 * 86_400))
        #expect(try trial.count("SELECT count(*) FROM block") == 0)
        #expect(try keep(late, trial, at: noon.later(102 * 86_400)).setAside == [.tooLate: 50])
    }

    @Test(arguments: TestEngine.allCases)
    func `a late reading of a packed hour is there at once, and goes into its block`(_ engine: TestEngine)
        async throws
    {
        let trial = try Trial(engine)
        let all = samples(120, from: noon, every: 30)
        let even = all.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
        let odd = all.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        _ = try keep(even, trial, at: noon.later(7_200))
        try await advance(trial, to: noon.later(7_200))
        #expect(try keep(odd + even + odd, trial, at: noon.later(7_300)).fresh == odd)
        #expect(try await trial.stores.samples.samples(of: .maria, .heartRate, after: nil, most: 500) == all)
        try await advance(trial, to: noon.later(7_300))
        #expect(try trial.count("SELECT count(*) FROM sample") == 0)
        #expect(try trial.count("SELECT count(*) FROM block") == 1)
        #expect(try await trial.stores.samples.samples(of: .maria, .heartRate, after: nil, most: 500) == all)
        #expect(try keep(all, trial, at: noon.later(7_300)).repeated == 120)
    }

    /// A process that is killed between two steps has committed the ones before.
    @Test(arguments: TestEngine.allCases, [1, 7, 50])
    func `after each step of the packing all readings are there once`(_ engine: TestEngine, most: Int)
        async throws
    {
        let trial = try Trial(engine)
        let all = samples(60, from: noon, every: 100)
        _ = try keep(all, trial, at: noon.later(6_000))
        try await trial.stores.retention.raise(life.limits(at: noon.later(4 * 3_600)))
        var steps = 0
        while true {
            let file = try trial.database.open()
            let stores = Stores(in: file)
            let count = try await stores.retention.removeSome(most: most)
            #expect(count <= most)
            #expect(try await stores.samples.samples(of: .maria, .heartRate, after: nil, most: 99) == all)
            #expect(try stores.intake.keep(all.map { .sample($0) }, at: noon.later(6_000)).repeated == 60)
            try file.close()
            guard count > 0 else { break }
            steps += 1
        }
        #expect(steps >= 60 / most)
        // And after each step of the removal each ID.
        try await trial.stores.retention.raise(life.limits(at: noon.later(8 * 86_400)))
        while try await trial.stores.retention.removeSome(most: most) > 0 {
            #expect(try keep(all, trial, at: noon.later(8 * 86_400)).repeated == 60)
        }
        #expect(try await trial.stores.samples.samples(of: .maria, nil, after: nil, most: 99).isEmpty)
        #expect(try keep(all, trial, at: noon.later(8 * 86_400)).repeated == 60)
        let hours = try await trial.stores.samples.summaries(
            of: .maria, .heartRate, from: noon, to: noon.later(7_200), minutes: 60)
        #expect(hours.map(\.count) == [36, 24])
    }

    @Test(arguments: TestEngine.allCases)
    func `a step that fails leaves rows and blocks as they were`(_ engine: TestEngine) async throws {
        let trial = try Trial(engine)
        _ = try keep(samples(40, from: noon), trial, at: noon)
        try await trial.stores.retention.raise(life.limits(at: noon.later(7_200)))
        let before = try trial.file.allRows()
        try trial.file.addFault("BEFORE DELETE", on: "sample")
        await #expect(throws: DatabaseError.self) { try await trial.stores.retention.removeSome(most: 99) }
        #expect(try trial.file.allRows() == before)
        try trial.file.removeFault(of: "sample")
        #expect(try await trial.stores.retention.removeSome(most: 99) == 40)
    }

    @Test(arguments: TestEngine.allCases)
    func `a damaged block of readings is an error, is named, and doubles nothing`(_ engine: TestEngine)
        async throws
    {
        let trial = try Trial(engine)
        let all = samples(200, from: noon, every: 36)
        _ = try keep(all, trial, at: noon.later(7_200))
        try await advance(trial, to: noon.later(3 * 3_600))
        #expect(try await trial.stores.retention.damagedBlocks().isEmpty)
        let waiting = samples(3, from: noon, first: 500)
        #expect(try keep(waiting, trial, at: noon.later(3 * 3_600)).fresh.count == 3)
        let hour = noon.millisecondsSince1970 / 3_600_000
        try trial.damage("form = 0 AND span = \(hour)")
        await #expect(throws: DamagedBlock.self) {
            try await trial.stores.samples.samples(of: .maria, .heartRate, after: nil, most: 500)
        }
        await #expect(throws: DamagedBlock.self) {
            try await trial.stores.samples.samples(
                of: .maria, .heartRate, from: noon, to: noon.later(9_000), most: 500)
        }
        // The hour after it is sound.
        #expect(
            try await trial.stores.samples.samples(of: .maria, .heartRate, after: all[100].id, most: 500)
                == Array(all[101...]))
        let named = try await trial.stores.retention.damagedBlocks()
        #expect(named.map(\.key.span) == [hour])
        #expect(named.first?.description.contains("hour \(hour) since 1970, part 0 is damaged") == true)
        // Neither a repetition nor a new reading of the hour is counted.
        let result = try keep(all, trial, at: noon.later(3 * 3_600))
        #expect(result.setAside == [.damagedBlock: 100] && result.repeated == 100 && result.fresh.isEmpty)
        #expect(trial.reported == named)
        let letters = try await trial.stores.intake.deadLetters(most: 1)
        #expect(letters.first?.detail == named.first?.description)
        let hours = try await trial.stores.samples.summaries(
            of: .maria, .heartRate, from: noon, to: noon.later(7_200), minutes: 60)
        #expect(hours.map(\.count) == [103, 100])
        // Readings that wait are packed behind it.
        try await advance(trial, to: noon.later(3 * 3_600))
        #expect(try trial.count("SELECT max(part) FROM block WHERE span = \(hour)") == 1)
        // The readings go in time; the IDs of the day are unknown until they go as well.
        try await advance(trial, to: noon.later(8 * 86_400))
        #expect(try trial.count("SELECT count(*) FROM block WHERE form = 0") == 0)
        let later = try keep(all + waiting, trial, at: noon.later(8 * 86_400))
        #expect(later.fresh.isEmpty && later.repeated == 103 && later.setAside == [.damagedBlock: 100])
        try await advance(trial, to: noon.later(102 * 86_400))
        #expect(try await trial.stores.retention.damagedBlocks().map(\.key.form) == [.history])
        try await advance(trial, to: noon.later(402 * 86_400))
        #expect(try await trial.stores.retention.damagedBlocks().isEmpty)
    }

    @Test(arguments: TestEngine.allCases)
    func `a damaged block of IDs sets readings aside, and later IDs go behind it`(_ engine: TestEngine)
        async throws
    {
        let trial = try Trial(engine)
        let all = samples(30, from: noon)
        _ = try keep(all, trial, at: noon)
        try await advance(trial, to: noon.later(8 * 86_400))
        let late = samples(5, from: noon, first: 100)
        let now = noon.later(8 * 86_400)
        #expect(try keep(late, trial, at: now).fresh.count == 5)
        try trial.damage("form = 1")
        #expect(try keep(all, trial, at: now).setAside == [.damagedBlock: 30])
        try await advance(trial, to: now)
        #expect(try trial.count("SELECT count(*) FROM block WHERE form = 1") == 2)
        let result = try keep(all + late, trial, at: now)
        #expect(result.setAside == [.damagedBlock: 30] && result.repeated == 5)
        #expect(try await trial.stores.retention.damagedBlocks().map(\.key.form) == [.ids])
    }

    @Test(arguments: TestEngine.allCases)
    func `a house that is removed takes its blocks along, and no other`(_ engine: TestEngine) async throws {
        let trial = try Trial(engine)
        let paolo = (0..<9).map { StoredSample.heartRate(70, at: noon.later($0), number: $0, of: .paolo) }
        _ = try keep(samples(9, from: noon) + paolo, trial, at: noon)
        try await advance(trial, to: noon.later(7_200))
        _ = try await trial.stores.houses.register(
            House(gateway: HousePerson.maria.gateway, key: "key", added: noon))
        _ = try await trial.file.write { [noon] db in
            try HouseRemoval.remove(HousePerson.maria.gateway, at: noon, db)
        }
        #expect(try trial.count("SELECT count(*) FROM block") == 1)
        #expect(try await trial.stores.samples.samples(of: .maria, nil, after: nil, most: 99).isEmpty)
        #expect(try await trial.stores.samples.samples(of: .paolo, nil, after: nil, most: 99).count == 9)
    }

    @Test(arguments: TestEngine.allCases)
    func `rows of the version before are packed step by step, and none counts twice`(_ engine: TestEngine)
        async throws
    {
        let migrations = Stores.migrations + AuditLog.migrations
        let database = try TestDatabase(engine, migrations: migrations.filter { $0.name != "blocks-1" })
        let (all, gone) = (samples(120, from: noon, every: 60), samples(70, from: noon.later(-9 * 86_400)))
        let old = try database.open()
        try await old.write { db in
            try db.execute(
                sql: """
                    INSERT INTO series (id, gateway, person, kind, device) VALUES (5, 'house-12', 'maria', 'heart-rate', 'strap')
                    """)
            for sample in all {
                try db.execute(
                    sql: "INSERT INTO sample (series, id, time, value, flags, beats) VALUES (5, ?, ?, ?, ?, ?)",
                    arguments: [
                        Data(sample.id.bytes), sample.time.millisecondsSince1970, sample.value,
                        sample.flags.rawValue,
                        sample.beatIntervals.isEmpty
                            ? nil
                            : Data(
                                sample.beatIntervals.flatMap {
                                    [UInt8(Int($0 * 10) >> 8), UInt8(Int($0 * 10) & 0xFF)]
                                }),
                    ])
            }
            for (index, sample) in gone.enumerated() {
                try db.execute(
                    sql: "INSERT INTO seen (history, series, id) VALUES (?, 5, ?)",
                    arguments: [index % 2 == 1, Data(sample.id.bytes)])
            }
        }
        try old.close()
        let file = try database.open(migrations: migrations)
        let stores = Stores(in: file)
        let now = noon.later(4 * 3_600)
        try await stores.retention.raise(life.limits(at: now))
        let again = gone.enumerated().map { index, sample in
            StoredSample(
                subject: .maria, kind: .heartRate, device: sample.device, id: sample.id, time: sample.time,
                value: 60,
                flags: index % 2 == 1 ? .history : [])
        }
        var steps = 0
        repeat {
            steps += 1
            #expect(try stores.intake.keep((all + again).map { .sample($0) }, at: now).repeated == 190)
            #expect(try await stores.samples.samples(of: .maria, .heartRate, after: nil, most: 500) == all)
        } while try await stores.retention.removeSome(most: 25) > 0
        #expect(steps > 7)
        for table in ["sample", "seen"] {
            #expect(try await file.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") } == 0)
        }
        try file.close()
    }

    /// Beside a model: readings in any order, repeated and late, while steps of any size pack and remove.
    @Test(arguments: TestEngine.allCases, 1...4)
    func `pages and counts are exact in any order of readings and steps`(_ engine: TestEngine, seed: Int)
        async throws
    {
        let trial = try Trial(engine)
        var chance = SeededGenerator(seed: UInt64(seed))
        let all = samples(400, from: noon, every: 60)
        var came: Set<StoredSample> = []
        for minute in stride(from: 5, to: 600, by: 5) {
            let ready = all.filter { $0.time < noon.later(minute * 60) }
            let batch = (0..<20).compactMap { _ in ready.randomElement(using: &chance) }
            let result = try keep(batch, trial, at: noon.later(minute * 60))
            #expect(Set(result.fresh) == Set(batch).subtracting(came))
            came.formUnion(batch)
            try await trial.stores.retention.raise(life.limits(at: noon.later(minute * 60)))
            for _ in 0..<Int.random(in: 0...2, using: &chance) {
                _ = try await trial.stores.retention.removeSome(most: Int.random(in: 1...40, using: &chance))
            }
            let after = ready.randomElement(using: &chance)?.id
            let expected = came.filter { sample in after.map { $0 < sample.id } ?? true }.sorted {
                $0.id < $1.id
            }
            #expect(
                try await trial.stores.samples.samples(of: .maria, nil, after: after, most: 30)
                    == Array(expected.prefix(30)))
        }
        #expect(came.count > 300)
    }
}
