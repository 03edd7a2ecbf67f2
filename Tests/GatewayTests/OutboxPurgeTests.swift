import Consent
import Contract
import OutboxService
import Samples
import Synchronization
import Testing

/// Deletion of the messages that a decision forbids.
@Suite struct `A purge of the outbox` {
    /// Withdraws the policy, does something before the outbox's thread hears of it, and returns the number that the
    /// purge tells.
    private func told(in rig: DeskRig, between decide: () -> Void) throws -> Int? {
        try rig.decide(.withdrawn)
        decide()
        let told = Mutex<Int?>(nil)
        rig.turn(purging: [OutboxWriter.Purge(open: nil) { number in told.withLock { $0 = number } }])
        return told.withLock { $0 }
    }

    @Test func `counts the messages that the broker's thread found forbidden before it`() throws {
        let rig = try DeskRig()
        rig.turn()
        rig.delivery.connected()
        for number in 1...3 { rig.queue.enqueue(Sample.cleared(number)) }
        rig.turn()
        // Written, and not written yet.
        rig.queue.enqueue(Sample.cleared(4))
        let count = try told(in: rig) {
            #expect(rig.delivery.next() == nil)
            rig.turn()
        }
        #expect(count == 4)
        #expect(try rig.rows() == 0)
    }

    @Test func `does not count what the broker has acknowledged`() throws {
        let rig = try DeskRig()
        rig.turn()
        rig.delivery.connected()
        for number in 1...3 { rig.queue.enqueue(Sample.cleared(number)) }
        rig.turn()
        rig.delivery.acknowledged(try #require(rig.delivery.next()).value.id)
        #expect(try told(in: rig) {} == 2)
        #expect(try rig.rows() == 0)
    }
}
