import Accounts
import Foundation
import GRDB
import GatewayModel
import Store
import StoreLite
import StoreSamples
import TestSupport
import Testing

/// Rules of the store on SQLite alone.
struct StoreLiteTests {
    private let noon = WallTime(millisecondsSince1970: 1_772_366_400_000)

    @Test func `a commit is on the disk when it returns`() throws {
        let scratch = try ScratchDirectory()
        let file = try LiteFile(path: scratch.file("a.sqlite").path, migrations: StoreLite.migrations)
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

    @Test func `a failure in a batch keeps nothing of it, and the same batch can come again`() async throws {
        struct Refused: Error {}
        let scratch = try ScratchDirectory()
        let file = try LiteFile(path: scratch.file("a.sqlite").path, migrations: StoreLite.migrations)
        try await file.write { db in
            try db.execute(
                sql:
                    "CREATE TRIGGER refuse BEFORE INSERT ON sample WHEN NEW.value = 71 BEGIN SELECT RAISE(ABORT, 'no'); END"
            )
        }
        let stores = StoreLite.stores(in: file)
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
            let file = try LiteFile(path: path, migrations: StoreLite.migrations)
            _ = try StoreLite.stores(in: file).intake.keep(
                [.sample(.heartRate(70, at: noon, number: 1))], at: noon)
            try file.close()
        }
        let stores = StoreLite.stores(in: try LiteFile(path: path, migrations: StoreLite.migrations))
        #expect(try await stores.samples.latest(of: .maria).map(\.value) == [70])
    }

    @Test func `a backup holds the last commit`() async throws {
        let scratch = try ScratchDirectory()
        let file = try LiteFile(path: scratch.file("a.sqlite").path, migrations: StoreLite.migrations)
        _ = try StoreLite.stores(in: file).intake.keep(
            [.sample(.heartRate(70, at: noon, number: 1))], at: noon)
        try file.backUp(to: scratch.file("b.sqlite").path)
        let copy = try LiteFile(path: scratch.file("b.sqlite").path, migrations: StoreLite.migrations)
        #expect(try await StoreLite.stores(in: copy).samples.latest(of: .maria).map(\.value) == [70])
    }

    @Test func `a house cannot fill the table of series`() throws {
        let scratch = try ScratchDirectory()
        let stores = StoreLite.stores(
            in: try LiteFile(path: scratch.file("a.sqlite").path, migrations: StoreLite.migrations))
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
