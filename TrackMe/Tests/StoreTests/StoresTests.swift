import Accounts
import Foundation
import GatewayModel
import SQLDatabase
import SQLiteEngine
import Store
import StoreSamples
import TestSupport
import Testing

/// Rules of the store on SQLite alone.
struct StoresTests {
    private let noon = WallTime(millisecondsSince1970: 1_772_366_400_000)

    @Test func `a commit is on the disk when it returns`() throws {
        let scratch = try ScratchDirectory()
        let file = try DatabasePool(path: scratch.file("a.sqlite").path, migrations: Stores.migrations)
        let (synchronous, journal, keys) = try file.writeBlocking { db in
            (
                try Int.fetchOne(db, sql: "PRAGMA synchronous"),
                try String.fetchOne(db, sql: "PRAGMA journal_mode"),
                try Int.fetchOne(db, sql: "PRAGMA foreign_keys")
            )
        }
        #expect(synchronous == 2)
        #expect(journal == "wal")
        #expect(keys == 1)
    }

    @Test func `a database of the version before gets its hours from its minutes`() async throws {
        let scratch = try ScratchDirectory()
        let path = scratch.file("a.sqlite").path
        let later: Set = ["samples-2"]
        let old = try DatabasePool(
            path: path, migrations: Stores.migrations.filter { !later.contains($0.name) })
        try await old.write { db in
            try db.execute(
                sql: """
                    INSERT INTO series (id, gateway, person, kind, device) VALUES (1, 'house-12', 'maria', 'heart-rate', 's');
                    INSERT INTO minute (series, minute, count, sum, min, max) VALUES
                        (1, 29539440, 2, 140, 60, 80), (1, 29539499, 1, 100, 100, 100), (1, 29539500, 1, 50, 50, 50);
                    """)
        }
        try old.close()
        let file = try DatabasePool(path: path, migrations: Stores.migrations)
        let hours = try await Stores(in: file).samples.summaries(
            of: .maria, .heartRate, from: noon, to: noon.later(7_200), minutes: 60)
        #expect(
            hours == [
                Summary(begin: noon, count: 3, min: 60, mean: 80, max: 100),
                Summary(begin: noon.later(3_600), count: 1, min: 50, mean: 50, max: 50),
            ])
    }

    @Test func `a link of the version before looks, and does not act`() async throws {
        let scratch = try ScratchDirectory()
        let path = scratch.file("a.sqlite").path
        let old = try DatabasePool(
            path: path, migrations: Stores.migrations.filter { $0.name != "links-5" })
        let anna = try await Stores(in: old).accounts.add(.sample("anna", at: noon))
        try await old.write { db in
            try db.execute(
                sql: """
                    INSERT INTO link (account, gateway, person, request, state, asked)
                    VALUES (?, 'house-12', 'maria', 'link-1', 'linked', 0)
                    """, arguments: [anna.number])
        }
        try old.close()
        let file = try DatabasePool(path: path, migrations: Stores.migrations)
        let links = try await Stores(in: file).links.links(of: anna)
        #expect(links.map(\.role) == [.looks] && links.map(\.state) == [.linked])
    }

    @Test func `limits that were shared with the version before stay shared`() async throws {
        let database = try TestDatabase(migrations: Stores.migrations.filter { $0.name != "facts-1" })
        let old = try database.open()
        try await old.write { db in
            for (request, state) in [("limit-1", "shared"), ("limit-0", "ended")] {
                try db.execute(
                    sql: """
                        INSERT INTO limit_sharing (request, gateway, person, state, asked, told, limits)
                        VALUES (?, 'house-12', 'maria', ?, 0, 0, ?)
                        """, arguments: [request, state, Data(#"[{"kind":"heart-rate","high":131}]"#.utf8)])
            }
        }
        try old.close()
        let facts = Stores(in: try database.open(migrations: Stores.migrations)).facts
        let limits = try #require(try await facts.sharing(.limits, of: .maria))
        #expect(limits.request.text == "limit-1" && limits.state == .shared)
        #expect(limits.limits.map(\.high) == [131])
        #expect(try await facts.sharing(.fiscalCode, of: .maria) == nil)
    }

    @Test func `a removal that is killed after any of its steps goes on in the next process`() async throws {
        let scratch = try ScratchDirectory()
        let path = scratch.file("a.sqlite").path
        let samples = (0..<50).map { IntakeItem.sample(.heartRate(70, at: noon.later($0), number: $0)) }
        let life = Retention(
            raw: .seconds(86_400), minutes: .seconds(30 * 86_400), hours: .seconds(400 * 86_400),
            late: .seconds(100 * 86_400))
        for run in 0..<12 {
            // A process that is killed neither closes the file nor finishes the removal.
            let file = try DatabasePool(path: path, migrations: Stores.migrations)
            let stores = Stores(in: file)
            if run == 0 { _ = try stores.intake.keep(samples, at: noon) }
            try await stores.retention.raise(life.limits(at: noon.later(2 * 86_400)))
            let removed = try await stores.retention.removeSome(most: 7)
            #expect(removed == (run < 7 ? 7 : run == 7 ? 1 : 0))
            // The repetition finds each reading in one of the two places.
            #expect(try stores.intake.keep(samples, at: noon).repeated == 50)
            let hour = try await stores.samples.summaries(
                of: .maria, .heartRate, from: noon, to: noon.later(3_600), minutes: 60)
            #expect(hour == [Summary(begin: noon, count: 50, min: 70, mean: 70, max: 70)])
        }
    }

    @Test func `a failure in a batch keeps nothing of it, and the same batch can come again`() async throws {
        struct Refused: Error {}
        let scratch = try ScratchDirectory()
        let file = try DatabasePool(path: scratch.file("a.sqlite").path, migrations: Stores.migrations)
        try await file.write { db in
            try db.execute(
                sql:
                    "CREATE TRIGGER refuse BEFORE INSERT ON sample WHEN NEW.value = 71 BEGIN SELECT RAISE(ABORT, 'no'); END"
            )
        }
        let stores = Stores(in: file)
        let batch = [70.0, 71, 72].enumerated().map { index, value in
            IntakeItem.sample(.heartRate(value, at: noon, number: index + 1))
        }
        #expect(throws: DatabaseError.self) { try stores.intake.keep(batch, at: noon) }
        #expect(try await stores.samples.samples(of: .maria, nil, after: nil, most: 9).isEmpty)
        #expect(try await stores.samples.latest(of: .maria).isEmpty)
        try await file.write { db in try db.execute(sql: "DROP TRIGGER refuse") }
        #expect(try stores.intake.keep(batch, at: noon).fresh.count == 3)
    }

    @Test func `a second opening changes nothing, and finds all`() async throws {
        let scratch = try ScratchDirectory()
        let path = scratch.file("a.sqlite").path
        do {
            let file = try DatabasePool(path: path, migrations: Stores.migrations)
            _ = try Stores(in: file).intake.keep(
                [.sample(.heartRate(70, at: noon, number: 1))], at: noon)
            try file.close()
        }
        let stores = Stores(in: try DatabasePool(path: path, migrations: Stores.migrations))
        #expect(try await stores.samples.latest(of: .maria).map(\.value) == [70])
    }

    @Test func `a backup holds the last commit`() async throws {
        let scratch = try ScratchDirectory()
        let file = try DatabasePool(path: scratch.file("a.sqlite").path, migrations: Stores.migrations)
        _ = try Stores(in: file).intake.keep(
            [.sample(.heartRate(70, at: noon, number: 1))], at: noon)
        try file.backUp(to: scratch.file("b.sqlite").path)
        let copy = try DatabasePool(path: scratch.file("b.sqlite").path, migrations: Stores.migrations)
        #expect(try await Stores(in: copy).samples.latest(of: .maria).map(\.value) == [70])
    }

    @Test func `a backup is for its owner alone, and replaces no file`() async throws {
        let scratch = try ScratchDirectory()
        let file = try DatabasePool(path: scratch.file("a.sqlite").path, migrations: Stores.migrations)
        let copy = scratch.file("b.sqlite").path
        try file.backUp(to: copy)
        func mode() throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int
        }
        #expect(try mode() == 0o600)
        let before = try Data(contentsOf: URL(filePath: copy))
        let error = #expect(throws: DatabaseError.self) { try file.backUp(to: copy) }
        #expect(error?.description.contains("File exists") == true)
        #expect(try Data(contentsOf: URL(filePath: copy)) == before)
        // A backup that fails leaves no half of a file.
        #expect(throws: DatabaseError.self) { try file.backUp(to: scratch.file("none/c.sqlite").path) }
    }

    @Test func `readings that are not kept create no series`() async throws {
        let scratch = try ScratchDirectory()
        let file = try DatabasePool(path: scratch.file("a.sqlite").path, migrations: Stores.migrations)
        let intake = Stores(in: file).intake
        func series() throws -> Int? {
            try file.readBlocking { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM series") }
        }
        let withdrawal = IntakeItem.decision(
            DecisionRecord(
                subject: .maria, matter: .policy("data-policy"), verdict: .withdrawn, at: noon, entry: 1))
        // The withdrawal is in the same batch, and before it.
        for number in 1...2 {
            let reading = IntakeItem.sample(.heartRate(70, at: noon, number: number))
            _ = try intake.keep(number == 1 ? [withdrawal, reading] : [reading], at: noon)
            #expect(try series() == 0)
        }
        let old = noon.later(-1)
        try file.writeBlocking(.alone) { db in
            try db.execute(
                sql: "INSERT INTO kept (name, since) VALUES ('live', ?)",
                arguments: [noon.millisecondsSince1970])
        }
        let late = try intake.keep([.sample(.heartRate(70, at: old, number: 3, of: .paolo))], at: noon)
        #expect(late.setAside == [.tooLate: 1])
        #expect(try series() == 0)
        _ = try intake.keep([.sample(.heartRate(70, at: noon, number: 4, of: .paolo))], at: noon)
        #expect(try series() == 1)
    }

    @Test func `a house cannot fill the table of series`() throws {
        let scratch = try ScratchDirectory()
        let stores = Stores(
            in: try DatabasePool(path: scratch.file("a.sqlite").path, migrations: Stores.migrations))
        let batch = (1...2_010).map { number in
            IntakeItem.sample(
                StoredSample(
                    subject: .maria, kind: .heartRate, device: DeviceID("device-\(number)")!,
                    id: .sample(number, at: noon), time: noon, value: 70))
        }
        let result = try stores.intake.keep(batch, at: noon)
        #expect(result.fresh.count == 2_000)
        #expect(result.setAside == [.tooManySeries: 10])
        // Another house is not concerned.
        #expect(
            try stores.intake.keep([.sample(.heartRate(1, at: noon, number: 1, of: .paolo))], at: noon).fresh
                .count == 1)
    }
}
