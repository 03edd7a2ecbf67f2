import ControlContract
import Foundation
import GRDB
import GatewayModel
import SeededRandom
import Synchronization
import TestSupport
import Testing

@testable import Vault

/// Reports of a database, in words.
private final class Reports: Sendable {
    private let list = Mutex<[String]>([])

    var values: [String] { list.withLock { $0 } }
    func add(_ text: String) { list.withLock { $0.append(text) } }
    func clear() { list.withLock { $0 = [] } }
}

@Suite struct `The database of the state` {
    private let scratch: ScratchDirectory
    private let reports = Reports()

    init() throws { scratch = try ScratchDirectory() }

    private var file: URL { scratch.file("state.sqlite") }

    private func marks(boot: String = "b-1") -> StateMarks { StateMarks(in: scratch.url.path, boot: boot) }

    /// As the next run of the gateway opens it.
    private func database() -> StateDatabase {
        StateDatabase(in: scratch.url.path, marks: marks()) { [reports] in
            switch $0 {
            case .damage(let failure): reports.add("damage: \(failure)")
            case .loss(let loss): reports.add("loss: \(loss)")
            case .imported(let file): reports.add("imported \(file.split(separator: "/").last ?? "")")
            case .notImported(let failure): reports.add("not imported: \(failure)")
            }
        }
    }

    private func row(_ number: Int, bytes: Int = 20) -> StateRow {
        StateRow(
            key: StateChange.key(Int64(number)),
            content: Array("\(number)-".utf8) + [UInt8](repeating: 7, count: bytes))
    }

    @Test func `has what was applied after a kill, each group of changes whole or not at all`() throws {
        let first = database()
        try first.apply([.put(.command, row(1)), .put(.receipt, row(2)), .put(.commandMemory, row(3))])
        try first.apply([.put(.command, row(4)), .remove(.receipt, key: row(2).key)])
        // Not closed: as after a kill.
        let second = database()
        #expect(try second.rows(of: .command) == [row(1), row(4)])
        #expect(try second.rows(of: .receipt).isEmpty)
        #expect(try second.row(.commandMemory, key: row(3).key) == row(3))
        #expect(reports.values.isEmpty, "\(reports.values)")
        withExtendedLifetime(first) {}
    }

    @Test func `syncs each transaction`() throws {
        let queue = try StateSchema.open(file.path)
        // 2 is FULL (https://www.sqlite.org/pragma.html#pragma_synchronous).
        #expect(try queue.read { db in try Int.fetchOne(db, sql: "PRAGMA synchronous") } == 2)
    }

    @Test func `clears and trims tables, and replaces rows`() throws {
        let database = database()
        try database.apply((1...9).map { .put(.command, row($0)) } + [.trim(.command, to: 3)])
        #expect(try database.rows(of: .command) == [row(7), row(8), row(9)])
        try database.apply([.trim(.command, to: 3), .put(.command, row(8, bytes: 3))])
        #expect(try database.rows(of: .command) == [row(7), row(8, bytes: 3), row(9)])
        try database.apply([.clear(.command), .put(.command, row(1))])
        #expect(try database.rows(of: .command) == [row(1)])
    }

    /// SQLite leaves copies of rows that it moves between pages. With these seeds, two of forty, it leaves some of removed rows.
    @Test(arguments: [22, 30] as [UInt64]) func `has no trace of removed rows in its file`(seed: UInt64) throws
    {
        var random = SeededGenerator(seed: seed)
        let (database, marker) = (database(), "removed-")
        var removed: [StateChange] = []
        for _ in 0..<150 {
            let (isRemoved, key) = (
                Bool.random(using: &random), "\(UInt64.random(in: 0 ... .max, using: &random))"
            )
            let text =
                (isRemoved ? marker : "kept-")
                + String(repeating: "x", count: Int.random(in: 10..<900, using: &random))
            try database.apply([.put(.personChoice, StateRow(key: key, content: Array(text.utf8)))])
            if isRemoved { removed.append(.remove(.personChoice, key: key)) }
        }
        try database.apply(removed)
        try database.removeTraces()
        #expect(try database.rows(of: .personChoice).count == 150 - removed.count)
        #expect(try Data(contentsOf: file).range(of: Data(marker.utf8)) == nil)
        #expect(try Data(contentsOf: scratch.file("state.sqlite-wal")).isEmpty)
    }

    @Test func `keeps only the changes that count while the disk takes none`() {
        var waiting: [StateChange] = []
        for change: StateChange in [
            .put(.seenRecord, row(1)), .put(.command, row(1)), .clear(.seenRecord), .put(.seenRecord, row(2)),
            .put(.command, row(1, bytes: 3)), .clear(.seenRecord), .put(.seenRecord, row(3)),
            .put(.receipt, row(5)), .remove(.receipt, key: row(5).key),
        ] {
            waiting.add(change)
        }
        #expect(
            waiting == [
                .put(.command, row(1, bytes: 3)), .clear(.seenRecord), .put(.seenRecord, row(3)),
                .remove(.receipt, key: row(5).key),
            ])
    }

    // MARK: Damage

    /// A database of some pages, closed.
    private func fill() throws {
        let database = database()
        for number in 0..<60 { try database.apply([.put(.alarmRecord, row(number, bytes: 900))]) }
        try database.apply([.put(.commandMemory, row(1)), .put(.broadcaster, row(2))])
        database.close()
    }

    private func expectReport(_ what: String) {
        #expect(reports.values.contains { $0.hasPrefix("damage") || $0.hasPrefix("loss") }, "\(what)")
    }

    @Test func `is salvaged around a damaged page, and forgets since when it remembers every command`() throws {
        try fill()
        let whole = try Data(contentsOf: file)
        let pages = whole.count / 4_096
        #expect(pages > 20)
        for page in [0, 1, 2, 5, pages / 2, pages - 3] {
            try wipe()
            var bytes = whole
            bytes.replaceSubrange(page * 4_096 + 8..<(page + 1) * 4_096, with: Data(count: 4_088))
            try bytes.write(to: file)
            let second = database()
            let kept = try second.rows(of: .alarmRecord)
            #expect(kept.allSatisfy { $0 == row(Int($0.key)!, bytes: 900) }, "page \(page)")
            // A page that is free, or of an index, costs no row.
            guard reports.values.contains(where: { $0.hasPrefix("damage") }) else {
                #expect(kept.count == 60, "page \(page)")
                continue
            }
            #expect(page == 0 || kept.count >= 50, "page \(page): \(kept.count)")
            #expect(try second.rows(of: .commandMemory).isEmpty, "page \(page)")
            try second.apply([.put(.command, row(1))])
            second.close()
            reports.clear()
            #expect(try database().rows(of: .alarmRecord) == kept && reports.values.isEmpty, "told once")
        }
    }

    @Test func `notices a byte that was changed in a row`() throws {
        try fill()
        let whole = try Data(contentsOf: file)
        for number in [0, 31, 59] {
            try wipe()
            let place = try #require(whole.range(of: Data("\(number)-".utf8 + [7, 7, 7]))).upperBound + 100
            var bytes = whole
            bytes[place] ^= 1
            try bytes.write(to: file)
            #expect(try database().rows(of: .alarmRecord).count == 59)
            expectReport("row \(number)")
        }
    }

    @Test func `is begun anew where nothing of it can be read`() throws {
        try fill()
        for content in [Data("[[[[".utf8), Data(repeating: 0xA5, count: 9_000)] {
            try wipe()
            try content.write(to: file)
            let second = database()
            #expect(try second.rows(of: .alarmRecord).isEmpty)
            expectReport("garbage")
            try second.apply([.put(.command, row(1))])
            second.close()
        }
        try wipe()
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        #expect(try database().rows(of: .alarmRecord).isEmpty)
        expectReport("a directory")
    }

    @Test func `misses what was emptied, removed or cut`() throws {
        try fill()
        for content in [Data(), nil] {
            try FileManager.default.removeItem(at: file)
            try content?.write(to: file)
            let second = database()
            #expect(try second.rows(of: .alarmRecord).isEmpty)
            expectReport("emptied")
            reports.clear()
            for number in 0..<3 { try second.apply([.put(.alarmRecord, row(number))]) }
            second.close()
        }
        // A log without its last transactions.
        let third = database()
        try third.apply([.put(.commandMemory, row(9))])
        for number in 10..<20 { try third.apply([.put(.alarmRecord, row(number))]) }
        let (main, log) = (try Data(contentsOf: file), try Data(contentsOf: scratch.file("state.sqlite-wal")))
        let state = try Data(contentsOf: scratch.file("state.marks"))
        third.close()
        try main.write(to: file)
        try log.prefix(log.count - 3 * 4_120).write(to: scratch.file("state.sqlite-wal"))
        try state.write(to: scratch.file("state.marks"))
        #expect(try database().rows(of: .commandMemory).isEmpty)
        expectReport("cut")
    }

    @Test func `ends an exchange for a copy that was interrupted`() throws {
        try fill()
        // The damaged file has its other name, and the copy not yet this one.
        try FileManager.default.moveItem(at: file, to: scratch.file("state.sqlite.salvaged"))
        #expect(try database().rows(of: .alarmRecord).count == 60)
        // A copy that was not whole yet.
        try Data("half".utf8).write(to: scratch.file("state.sqlite.salvaged"))
        #expect(try database().rows(of: .alarmRecord).count == 60)
        #expect(!FileManager.default.fileExists(atPath: scratch.file("state.sqlite.salvaged").path))
    }

    @Test func `waits for a disk that fails, and goes on when it is back`() throws {
        let folder = scratch.file("later")
        let database = StateDatabase(in: folder.path)
        #expect(throws: DiskFailure.self) { try database.apply([.put(.command, row(1))]) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        try database.apply([.put(.command, row(1))])
        #expect(try database.rows(of: .command) == [row(1)])
    }

    private func wipe() throws {
        reports.clear()
        for name in try FileManager.default.contentsOfDirectory(atPath: scratch.url.path)
        where name.hasPrefix("state.sqlite") {
            try FileManager.default.removeItem(at: scratch.file(name))
        }
    }

    // MARK: Earlier versions

    private func left() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).filter {
            EarlierState.names.contains($0)
        }
    }

    private func expectImported(_ database: StateDatabase) throws {
        let records = AlarmRecord.sorted(try database.rows(of: .alarmRecord))
        #expect(records.map(\.person) == ["maria", "maria"])
        #expect(records.first?.ending == nil && records.last?.ending?.what == .resolved)
        #expect(
            try database.rows(of: .waitingCommand).map(\.content)
                == ["aa.bb.cc", "dd.ee.ff"].map { Array($0.utf8) })
        #expect(try database.rows(of: .broadcaster).compactMap(BeaconMemory.init).map(\.counter) == [600])
        #expect(try database.row(.seenRecord, key: "meter")?.decoded() == [UInt64(1), .max])
        #expect(try database.rows(of: .commandedSetting).map(\.key) == ["heartbeat", "limits maria"])
        #expect(try database.rows(of: .command).count == 3)
        #expect(try database.row(.commandSequence, key: "trackme")?.decoded() == Int64(1_795_424_415_334))
        #expect(
            try database.row(.commandMemory, key: "since")?.decoded()
                == WallTime(millisecondsSince1970: 1_795_424_415_047))
    }

    @Test func `takes over the files of earlier versions once, with their marks`() throws {
        try EarlierState.fill(scratch.url)
        try FileManager.default.copyItem(at: EarlierState.marks, to: scratch.file("state.marks"))
        let first = database()
        try expectImported(first)
        #expect(try left().isEmpty)
        #expect(reports.values.count { $0.hasPrefix("imported") } == 6, "\(reports.values)")
        first.close()
        reports.clear()
        try expectImported(database())
        #expect(reports.values.isEmpty, "\(reports.values)")
    }

    @Test func `takes them over again where a kill came before they were removed`() throws {
        try EarlierState.fill(scratch.url)
        try expectImported(database())
        try EarlierState.fill(scratch.url)
        let second = database()
        try expectImported(second)
        #expect(try left().isEmpty)
        // A row that has changed since is newer than the file.
        let memory = try #require(
            BeaconMemory(
                json: Array(
                    #"{"address":"C0:FF:EE:00:00:05","counter":700,"device":"button","sendsRegularly":true}"#
                        .utf8)))
        try second.apply([memory.change])
        second.close()
        try EarlierState.fill(scratch.url)
        let third = database()
        #expect(try third.rows(of: .broadcaster).compactMap(BeaconMemory.init).map(\.counter) == [700])
        #expect(try third.rows(of: .commandMemory).isEmpty, "an earlier version ran in between")
    }

    @Test func `saves what is sound of a damaged one, and reports it`() throws {
        for name in EarlierState.names {
            try wipe()
            try EarlierState.fill(scratch.url)
            let path = scratch.file(name)
            var bytes = try Data(contentsOf: path)
            bytes[bytes.count - 30] ^= 1
            try bytes.write(to: path)
            let database = database()
            let records = try database.rows(of: .alarmRecord)
            expectReport(name)
            #expect(try left().isEmpty, "\(name)")
            #expect(records.count == 2)
            let hasWaiting = try database.rows(of: .waitingCommand).count
            #expect(hasWaiting == (name == "commands.inbox" ? 1 : 2), "\(name)")
            #expect(try database.rows(of: .commandMemory).isEmpty, "commands may be missing")
        }
    }

    @Test func `shows a reader the files of an earlier version until they are taken over`() throws {
        try EarlierState.fill(scratch.url)
        let reader = StateReader(in: scratch.url.path)
        let before = try reader.rows(of: .alarmRecord)
        #expect(before.rows.count == 2 && before.unreadable == 0)
        #expect(try left().count == 6, "it changes nothing")
        let database = database()
        _ = try database.rows(of: .alarmRecord)
        #expect(try reader.rows(of: .alarmRecord).rows == before.rows)
    }
}
