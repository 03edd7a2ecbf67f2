import Foundation
import GRDB
import GRDBSQLite
import GatewayModel
import Samples
import SeededRandom
import Testing

@testable import Consent
@testable import Contract
@testable import Vault

@Suite struct `The outbox on disk` {
    /// - Parameter age: seconds from the time of its id, which a device gave, to its arrival.
    private func reading(
        _ number: Int, at seconds: Int, kind: QuantityKind = .heartRate, age: Int = 0
    ) -> Envelope {
        var random = SystemRandomNumberGenerator()
        let time = WallTime(millisecondsSince1970: 1_772_353_800_000 + Int64(seconds) * 1_000)
        let made = WallTime(millisecondsSince1970: time.millisecondsSince1970 - Int64(age) * 1_000)
        return Envelope(
            id: MessageID(wall: made, using: &random), lane: .live, retention: .sample,
            disclosure: .readings(of: Sample.maria, kind: kind), topic: "t/\(kind.rawValue)",
            payload: Array("\(number)".utf8), arrived: time)
    }

    private func gapMessage(_ gap: SampleGap, _ series: SampleSeries) -> Envelope {
        .gap(gap, of: series, id: Sample.id(gap.dropped), at: gap.to, topics: Sample.topics)
    }

    @Test func `brings back what an earlier run left, whole and in order`() throws {
        let rig = try StoredOutbox()
        let left = [Sample.envelope(1), Sample.envelope(2, lane: .alarm), Sample.envelope(3)]
        for envelope in left { try rig.enqueue(envelope) }
        try rig.restart()
        #expect(rig.outbox.count == 3)
        try rig.enqueue(Sample.envelope(4))
        #expect(try rig.offered() == [left[1], left[0], left[2], Sample.envelope(4)])
    }

    @Test func `does not bring back what was acknowledged`() throws {
        let rig = try StoredOutbox()
        try rig.enqueue(Sample.envelope(1), Sample.envelope(2))
        _ = try rig.offered()
        rig.outbox.settle(Sample.id(1))
        try rig.write()
        try rig.restart()
        #expect(try rig.offered().map(\.id) == [Sample.id(2)])
    }

    @Test func `deletes what was acknowledged and nothing between`() throws {
        let rig = try StoredOutbox()
        for number in 1...9 { rig.outbox.enqueue(Cleared(Sample.envelope(number)), at: rig.now) }
        try rig.write()
        _ = try rig.offered()
        for number in [7, 2, 3, 8, 5] { rig.outbox.settle(Sample.id(number)) }
        try rig.write()
        try rig.restart()
        #expect(try rig.offered().map(\.id) == [1, 4, 6, 9].map(Sample.id))
    }

    @Test func `gives a backlog of many pages in order and once`() throws {
        let rig = try StoredOutbox()
        let all = (1...5_000).map { Sample.envelope($0) }
        for envelope in all { rig.outbox.enqueue(Cleared(envelope), at: rig.now) }
        try rig.write()
        try rig.restart()
        #expect(try rig.offered() == all)
    }

    @Test func `can be read by its owner alone`() throws {
        let rig = try StoredOutbox()
        try rig.enqueue(Sample.envelope(1))
        for suffix in ["", "-wal", "-shm"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: rig.path + suffix)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(suffix)")
        }
    }

    @Test func `deletes what may not leave any more, and leaves no trace of it in its files`() throws {
        let rig = try StoredOutbox()
        let secret = "a-secret-of-maria"
        try rig.enqueue(
            Sample.envelope(1, payload: secret), Sample.envelope(2, lane: .alarm, payload: "kept"))
        let deleted = try rig.database.purge { $0.lane == .alarm }
        #expect(deleted == [Sample.envelope(1).disclosure: 1])
        #expect(rig.database.count == 1)
        for suffix in ["", "-wal"] {
            let bytes = try Data(contentsOf: URL(filePath: rig.path + suffix))
            #expect(bytes.range(of: Data(secret.utf8)) == nil, "outbox.sqlite\(suffix)")
        }
        try rig.restart()
        #expect(try rig.offered().map(\.id) == [Sample.id(2)])
    }

    /// With these seeds, two of forty, SQLite leaves copies of deleted rows in the unused parts of pages.
    @Test(arguments: [16, 38] as [UInt64])
    func `leaves no trace of deleted messages between messages that stay`(
        seed: UInt64
    ) throws {
        let rig = try messages(seed)
        _ = try rig.database.purge { $0.lane == .alarm }
        #expect(rig.database.count > 0)
        #expect(try !holdsSecret(rig))
    }

    @Test func `deletes also where the file cannot be written anew, and does that with the next purge`() throws
    {
        let rig = try messages(16)
        let limit = limitAttachments(of: rig, to: 0)
        let deleted = try rig.database.purge { $0.lane == .alarm }
        #expect(deleted.values.reduce(0, +) > 0)
        #expect(try rig.offered().allSatisfy { $0.lane == .alarm })
        #expect(try Data(contentsOf: URL(filePath: rig.path + "-wal")).isEmpty)
        #expect(try holdsSecret(rig))
        _ = limitAttachments(of: rig, to: limit)
        #expect(try rig.database.purge { $0.lane == .alarm }.isEmpty)
        #expect(try !holdsSecret(rig))
    }

    private static let secret = "a-secret-of-maria"

    /// Messages of random sizes, secret ones between others. Some are acknowledged on the way.
    private func messages(_ seed: UInt64) throws -> StoredOutbox {
        var random = SeededGenerator(seed: seed)
        let rig = try StoredOutbox()
        var (numbers, settled) = (Array(1...200), 0)
        while let number = numbers.popLast() {
            let isSecret = Bool.random(using: &random)
            let text =
                (isSecret ? Self.secret : "kept")
                + String(repeating: "x", count: .random(in: 10..<900, using: &random))
            try rig.enqueue(Sample.envelope(number, lane: isSecret ? .live : .alarm, payload: text))
            guard Int.random(in: 0..<3, using: &random) == 0 else { continue }
            _ = try rig.offered()
            rig.outbox.settle(Sample.id(200 - settled))
            settled += 1
            try rig.write()
        }
        return rig
    }

    private func holdsSecret(_ rig: StoredOutbox) throws -> Bool {
        try Data(contentsOf: URL(filePath: rig.path)).range(of: Data(Self.secret.utf8)) != nil
    }

    /// SQLite writes a file anew through an attached database.
    ///
    /// - Returns: the limit before.
    private func limitAttachments(of rig: StoredOutbox, to limit: Int32) -> Int32 {
        rig.database.queue.inDatabase { db in
            sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_ATTACHED, limit)
        }
    }

    @Test func `makes room by keeping one reading a minute and says what is missing, in its place`() throws {
        let rig = try StoredOutbox()
        for second in 0..<300 { rig.outbox.enqueue(Cleared(reading(second, at: second)), at: rig.now) }
        try rig.enqueue(Sample.envelope(1, lane: .alarm))
        let dropped = try rig.database.thin(sparing: [], message: gapMessage)
        #expect(dropped == 295)
        #expect(rig.database.count == 5 + 1 + 1)
        try rig.restart()
        let left = try rig.offered()
        #expect(
            left.map { String(decoding: $0.payload, as: UTF8.self) }.filter { Int($0) != nil }
                == ["59", "119", "179", "239", "299"])
        let gap = try #require(left.first { $0.topic.hasSuffix("/gap") })
        #expect(String(decoding: gap.payload, as: UTF8.self).contains(#""dropped":295"#))
        // The last reading of the last minute came after all that are missing.
        #expect(String(decoding: gap.payload, as: UTF8.self).contains(#""kept":4"#))
        #expect(left.firstIndex(of: gap) == 5, "before the reading that follows the last one given up")
        #expect(left.contains { $0.lane == .alarm })
    }

    @Test func `thins further where that is not enough, and in the end gives up all, but no gap`() throws {
        let rig = try StoredOutbox()
        for minute in 0..<120 { rig.outbox.enqueue(Cleared(reading(minute, at: minute * 60)), at: rig.now) }
        try rig.write()
        #expect(try rig.database.thin(sparing: [], message: gapMessage) == 112, "one a quarter of an hour")
        #expect(try rig.database.thin(sparing: [], message: gapMessage) == 8)
        #expect(rig.database.count == 2, "two gaps")
        #expect(try rig.database.thin(sparing: [], message: gapMessage) == 0)
    }

    @Test func `does not thin what is on its way`() throws {
        let rig = try StoredOutbox()
        for second in 0..<60 { rig.outbox.enqueue(Cleared(reading(second, at: second)), at: rig.now) }
        try rig.write()
        let dropped = try rig.database.thin(sparing: Set(1...60), message: gapMessage)
        #expect(dropped == 0)
        #expect(rig.database.count == 60)
    }

    @Test func `tells each person's and kind's gap by itself`() throws {
        let rig = try StoredOutbox()
        for second in 0..<60 {
            rig.outbox.enqueue(Cleared(reading(second, at: second)), at: rig.now)
            rig.outbox.enqueue(Cleared(reading(second, at: second, kind: .oxygenSaturation)), at: rig.now)
        }
        try rig.write()
        #expect(try rig.database.thin(sparing: [], message: gapMessage) == 118)
        #expect(try rig.offered().count { $0.topic.hasSuffix("/gap") } == 2)
    }

    @Test func `gives up what is too old, and only that`() throws {
        let rig = try StoredOutbox()
        for second in 0..<10 { rig.outbox.enqueue(Cleared(reading(second, at: second)), at: rig.now) }
        try rig.write()
        let limit = WallTime(millisecondsSince1970: 1_772_353_800_000 + 4_000)
        #expect(try rig.database.expire(before: limit, sparing: [], message: gapMessage) == 4)
        #expect(try rig.database.expire(before: limit, sparing: [], message: gapMessage) == 0)
        #expect(rig.database.count == 7)
    }

    @Test func `counts the age of a stored record from its arrival, over a restart too`() throws {
        let rig = try StoredOutbox()
        for second in 0..<4 { try rig.enqueue(reading(second, at: second, age: 200 * 86_400)) }
        try rig.restart()
        let limit = WallTime(millisecondsSince1970: 1_772_353_800_000 + 2_000)
        var gaps: [SampleGap] = []
        let dropped = try rig.database.expire(before: limit, sparing: []) { gap, recipient in
            gaps.append(gap)
            return gapMessage(gap, recipient)
        }
        #expect(dropped == 2)
        #expect(gaps.map(\.from.millisecondsSince1970) == [1_772_353_800_000])
        #expect(gaps.map(\.to.millisecondsSince1970) == [1_772_353_801_000])
    }

    @Test func `sets a file aside that is no database, and begins another`() throws {
        let rig = try StoredOutbox()
        try rig.database.close()
        try Data(repeating: 0x5A, count: 8_192).write(to: URL(filePath: rig.path))
        let failure = #expect(throws: DiskFailure.self) { try OutboxDatabase(at: rig.path) }
        #expect(failure?.isDamage == true)
        let salvage = try OutboxDatabase.replace(
            at: rig.path, at: WallTime(millisecondsSince1970: 7))
        rig.database = try OutboxDatabase(at: rig.path)
        #expect(salvage.saved == 0)
        #expect(salvage.asidePath == rig.path + ".damaged-7")
        #expect(try Data(contentsOf: URL(filePath: salvage.asidePath)).count == 8_192)
        try rig.enqueue(Sample.envelope(1))
        #expect(rig.database.count == 1)
    }

    @Test func `saves what stands before and after the damage`() throws {
        let rig = try StoredOutbox()
        for number in 1...4_000 {
            rig.outbox.enqueue(
                Cleared(Sample.envelope(number, payload: String(repeating: "x", count: 300))), at: rig.now)
        }
        try rig.write()
        try rig.database.close()
        // A stretch in the middle, as a worn-out card loses it.
        let file = try FileHandle(forUpdating: URL(filePath: rig.path))
        let size = try file.seekToEnd()
        try file.seek(toOffset: size / 2)
        try file.write(contentsOf: Data(repeating: 0xFF, count: 16_384))
        try file.close()
        let failure = #expect(throws: DiskFailure.self) { try OutboxDatabase(at: rig.path) }
        #expect(failure?.isDamage == true)
        let salvage = try OutboxDatabase.replace(
            at: rig.path, at: WallTime(millisecondsSince1970: 7))
        rig.database = try OutboxDatabase(at: rig.path)
        // Four pages of some ten rows each are gone.
        #expect(salvage.saved > 3_900)
        #expect(salvage.saved < 4_000)
        rig.outbox = Outbox()
        try rig.load()
        let saved = try rig.offered().map(\.id)
        #expect(saved.count == salvage.saved)
        #expect(saved.first == Sample.id(1))
        #expect(saved.last == Sample.id(4_000))
    }

    @Test func `a file cut short at any page loses no more than what was cut off`() throws {
        for share in 1...7 {
            let rig = try StoredOutbox()
            for number in 1...800 {
                rig.outbox.enqueue(
                    Cleared(Sample.envelope(number, payload: String(repeating: "x", count: 300))),
                    at: rig.now)
            }
            try rig.write()
            try rig.database.close()
            let file = try FileHandle(forUpdating: URL(filePath: rig.path))
            let pages = try file.seekToEnd() / 4_096
            try file.truncate(atOffset: pages * UInt64(share) / 8 * 4_096)
            try file.close()
            #expect(throws: DiskFailure.self) { try OutboxDatabase(at: rig.path) }
            let salvage = try OutboxDatabase.replace(
                at: rig.path, at: WallTime(millisecondsSince1970: 7))
            rig.database = try OutboxDatabase(at: rig.path)
            #expect(salvage.saved > 800 * (share - 1) / 8 - 40, "\(share) eighths")
        }
    }

    @Test func `takes no half copy of a damaged file for the file, and leaves none behind`() throws {
        let rig = try StoredOutbox()
        try rig.enqueue(Sample.envelope(1), Sample.envelope(2))
        // As a kill amid the copying leaves it.
        let half = rig.path + ".salvaged"
        try OutboxDatabase(at: half).close()
        try rig.restart()
        #expect(!FileManager.default.fileExists(atPath: half))
        #expect(try rig.offered().map(\.id) == [1, 2].map(Sample.id))
    }

    /// Killed between the two renames; the damaged file's log may stand where it was.
    @Test(arguments: [false, true])
    func `puts a whole copy in the place of the file that was set aside before a kill`(isReplacedAgain: Bool)
        throws
    {
        let rig = try StoredOutbox()
        try rig.enqueue(Sample.envelope(1), Sample.envelope(2))
        try rig.database.close()
        try FileManager.default.moveItem(atPath: rig.path, toPath: rig.path + ".salvaged")
        let damaged = try StoredOutbox()
        try damaged.enqueue(Sample.envelope(9))
        try FileManager.default.copyItem(atPath: damaged.path + "-wal", toPath: rig.path + "-wal")
        if isReplacedAgain {
            let salvage = try OutboxDatabase.replace(
                at: rig.path, at: WallTime(millisecondsSince1970: 7))
            #expect(salvage.saved == 2)
        }
        rig.database = try OutboxDatabase(at: rig.path)
        rig.outbox = Outbox()
        try rig.load()
        #expect(try rig.offered().map(\.id) == [1, 2].map(Sample.id))
    }

    @Test func `leaves a damaged file in its place while it cannot be copied`() throws {
        let rig = try StoredOutbox()
        try rig.enqueue(Sample.envelope(1))
        try rig.database.close()
        let obstacle = rig.path + ".salvaged"
        try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
        #expect(throws: DiskFailure.self) {
            try OutboxDatabase.replace(at: rig.path, at: WallTime(millisecondsSince1970: 7))
        }
        #expect(FileManager.default.fileExists(atPath: rig.path))
        try FileManager.default.removeItem(atPath: obstacle)
        #expect(try OutboxDatabase.replace(at: rig.path, at: WallTime(millisecondsSince1970: 8)).saved == 1)
        rig.database = try OutboxDatabase(at: rig.path)
    }

    /// A newer version may have written it; the promise is that it is left where it is, not that all else is lost.
    @Test func `saves what stands between rows that it cannot read`() throws {
        let rig = try StoredOutbox()
        try rig.enqueue((1...3_000).map { Sample.envelope($0) })
        try rig.database.close()
        let other = try DatabaseQueue(path: rig.path)
        try other.writeWithoutTransaction { db in
            try db.execute(sql: "UPDATE message SET discloses = 'something new' WHERE place IN (500, 2500)")
        }
        try other.close()
        let salvage = try OutboxDatabase.replace(at: rig.path, at: WallTime(millisecondsSince1970: 7))
        #expect(salvage.saved == 2_998)
        rig.database = try OutboxDatabase(at: rig.path)
    }

    @Test func `says which file and why when the disk refuses`() throws {
        let failure = #expect(throws: DiskFailure.self) {
            try OutboxDatabase(at: "/proc/nowhere/outbox.sqlite")
        }
        #expect("\(try #require(failure))".contains("/proc/nowhere/outbox.sqlite"))
        #expect(failure?.isDamage == false)
    }
}
