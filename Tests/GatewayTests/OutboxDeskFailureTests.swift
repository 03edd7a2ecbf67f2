import Foundation
import GatewayModel
import Synchronization
import Testing

@testable import Contract
@testable import HomeGateway

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
}
