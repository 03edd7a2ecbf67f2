import Consent
import Contract
import Foundation
import GatewayModel
import HomeGateway
import Hub
import OutboxService
import Samples
import Synchronization
import Testing
import Vault

/// Turns of the outbox's thread on a disk that fails.
@Suite struct `The outbox's desk, where the disk fails,` {
    private func readings(_ numbers: ClosedRange<Int>) -> [Envelope] { numbers.map { Sample.envelope($0) } }

    @Test func `tells the queue what an earlier run left as soon as it can be read`() throws {
        let rig = try DeskRig()
        try rig.leave(readings(1...3))
        try rig.alter("ALTER TABLE message RENAME COLUMN topic TO unreadable")
        rig.turn()
        #expect(rig.words == [.fails])
        try rig.alter("ALTER TABLE message RENAME COLUMN unreadable TO topic")
        rig.turn()
        #expect(rig.words == [.fails, .loaded(3), .works])
        #expect(rig.drained() == (1...3).map(Sample.id))
    }

    @Test func `says that it works again after a file that was no database`() throws {
        let rig = try DeskRig()
        try Data(repeating: 0x5A, count: 8_192).write(to: URL(filePath: rig.path))
        rig.turn()
        rig.turn()
        #expect(rig.words.first == .fails && rig.words.contains(.replaced))
        #expect(rig.words.last == .works)
        #expect(rig.words.count { $0 == .works } == 1, "once")
    }

    /// Whoever asks for something is not kept waiting by the failure before.
    @Test func `says that it works again where somebody asked for something in between`() throws {
        let rig = try DeskRig()
        rig.turn()
        try rig.alter("ALTER TABLE message RENAME COLUMN topic TO unwritable")
        rig.queue.enqueue(Sample.cleared(1))
        rig.turn()
        #expect(rig.words.last == .fails)
        try rig.alter("ALTER TABLE message RENAME COLUMN unwritable TO topic")
        let counted = Mutex<Int?>(nil)
        rig.turn(errands: [.count(Sample.maria) { number in counted.withLock { $0 = number } }])
        #expect(counted.withLock { $0 } == 1)
        #expect(rig.words.last == .works)
    }

    /// Memory knows the rows by where they stood in the file that was damaged.
    @Test func `deletes what was acknowledged and nothing else where a damaged file is replaced later`() throws
    {
        let rig = try DeskRig()
        let payload = String(repeating: "x", count: 300)
        try rig.leave((1...4_000).map { Sample.envelope($0, payload: payload) })
        rig.turn()
        rig.delivery.connected()
        // Behind the last row there was when the file was opened.
        for number in 4_001...4_050 { rig.queue.enqueue(Sample.cleared(number)) }
        rig.turn()
        try WornCard.lose(0.5..<0.51, of: rig.path)
        let obstacle = rig.path + ".salvaged"
        try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
        var offered = rig.drained()
        #expect(rig.words.contains(.fails) && !rig.words.contains(.replaced))
        try FileManager.default.removeItem(atPath: obstacle)
        offered += rig.drained()
        #expect(rig.words.contains(.replaced) && rig.words.last == .works)
        #expect(Set(offered).count == offered.count, "each once")
        let missing = (1...4_050).filter { !offered.contains(Sample.id($0)) }
        let (first, last) = (try #require(missing.first), try #require(missing.last))
        #expect(missing == Array(first...last), "what stood in the damage")
        #expect(missing.count < 400)
        #expect(rig.queue.count == 0)
        #expect(try rig.rows() == 0)
    }

    @Test func `writes what waits before the end into the file that takes a damaged one's place`() throws {
        let rig = try DeskRig()
        rig.turn()
        try WornCard.lose(0..<1, of: rig.path)
        rig.queue.enqueue(Sample.cleared(1))
        rig.turn(isLast: true)
        #expect(rig.queue.undurable == 0)
        #expect(try rig.rows() == 1)
    }

    /// Reading needs no room, and what the broker has taken makes some.
    @Test func `sends what waits while there is no room to write, and writes what is new in its place`() throws
    {
        let rig = try DeskRig()
        let payload = String(repeating: "x", count: 300)
        try rig.leave((1...600).map { Sample.envelope($0, payload: payload) })
        rig.turn()
        try rig.forbidGrowth()
        rig.delivery.connected()
        let large = String(repeating: "x", count: 1_000)
        for number in 1_001...1_400 { rig.queue.enqueue(Sample.cleared(number, payload: large)) }
        // Some go into pages that are free.
        for _ in 1...10 where rig.words.last != .fails { rig.turn() }
        #expect(rig.words.last == .fails)
        var offered: [MessageID] = []
        while let next = rig.delivery.next() { offered.append(next.value.id) }
        #expect(offered.contains(Sample.id(1)))
        for id in offered { rig.delivery.acknowledged(id) }
        offered += rig.drained()
        #expect(offered.count == 1_000 && Set(offered).count == 1_000, "each once")
        #expect(rig.words.last == .works)
        #expect(try rig.rows() == 0)
    }

    @Test func `on a full disk gives nothing up while memory has room for what is new`() throws {
        let rig = try DeskRig()
        let payload = String(repeating: "x", count: 300)
        try rig.leave((1...5_000).map { Sample.envelope($0, payload: payload) })
        rig.turn()
        try rig.forbidGrowth()
        for number in 6_001...6_100 { rig.queue.enqueue(Sample.cleared(number, payload: payload)) }
        for _ in 1...10 where rig.words.last != .fails { rig.turn() }
        #expect(rig.words == [.loaded(5_000), .fails])
        for number in 6_101...11_100 { rig.queue.enqueue(Sample.cleared(number, payload: payload)) }
        let before = rig.queue.undurable
        for _ in 1...10 where !rig.words.contains(.gaveUp(3_999)) { rig.turn() }
        // All of one minute: one of them stays.
        #expect(rig.words.contains(.gaveUp(3_999)))
        #expect(rig.queue.undurable < before)
    }

    @Test func `makes room before the disk is full, once, and not of what is little`() throws {
        let limits = OutboxWriter.Limits(group: .zero, quota: 16 << 20, age: .seconds(1_000_000_000))
        let payload = String(repeating: "x", count: 300)
        let rig = try DeskRig(limits: limits)
        // Less than a tenth of the quota.
        rig.disk.room = DiskRoom(free: 1 << 20, total: 1 << 40)
        try rig.leave((1...6_000).map { Sample.envelope($0, payload: payload) })
        rig.turn()
        for number in 6_001...6_010 {
            rig.queue.enqueue(Sample.cleared(number, payload: payload))
            rig.turn()
        }
        #expect(rig.words.filter { $0 != .roomLeft } == [.loaded(6_000), .gaveUp(3_999)])
        let little = try DeskRig(limits: limits)
        little.disk.room = DiskRoom(free: 0, total: 1 << 40)
        try little.leave(readings(1...100))
        little.turn()
        little.queue.enqueue(Sample.cleared(101))
        little.turn()
        #expect(little.words == [.loaded(100), .roomLeft])
    }

    @Test func `keeps a ballast while there is room for it, and gives it up when there is none`() throws {
        let rig = try DeskRig()
        let ballast = Ballast(at: rig.path + ".ballast")
        rig.disk.room = DiskRoom(free: Ballast.size, total: 1 << 40)
        rig.turn()
        rig.queue.enqueue(Sample.cleared(1))
        rig.turn()
        #expect(try !ballast.isThere)
        rig.disk.room = DiskRoom(free: 2 * Ballast.size, total: 1 << 40)
        rig.queue.enqueue(Sample.cleared(2))
        rig.turn()
        #expect(try ballast.isThere)
        rig.disk.room = DiskRoom(free: 0, total: 1 << 40)
        try rig.forbidGrowth()
        for number in 11...100 {
            rig.queue.enqueue(Sample.cleared(number, payload: String(repeating: "x", count: 1_000)))
        }
        rig.turn()
        #expect(try !ballast.isThere)
        #expect(rig.words.last == .fails)
        // The file is let grow again with the disk, and nothing else.
        rig.turn()
        #expect(rig.queue.undurable > 0)
    }
}
