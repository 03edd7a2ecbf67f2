package import GatewayModel
package import RealTime
import Synchronization
package import Vault

/// Thread that watches the outbox's thread: messages that wait for it too long, because a disk holds it up, are written to
/// another file without a sync. A kill then loses no message that is older than `limit`, however slow the disk is.
///
/// A disk that keeps up costs two wake-ups for each write.
package final class OutboxWatch: Sendable {
    /// Age of a message that nobody has written. The outbox's thread writes after at most `Outbox.writeInterval`.
    package static let limit = Duration.milliseconds(60)
    /// Between two writes.
    private static let interval = Duration.milliseconds(20)
    /// Before another attempt at a disk that accepts nothing.
    private static let pause = Duration.seconds(1)

    private let queue: OutboundQueue
    private let spill: OutboxSpill
    private let wakeup: Wakeup
    private let isStopping = Atomic(false)

    /// - Parameter wakeup: signalled with `OutboundQueue.wakeWatch`.
    package init(_ queue: OutboundQueue, spill: OutboxSpill, wakeup: Wakeup) {
        (self.queue, self.spill, self.wakeup) = (queue, spill, wakeup)
    }

    /// The thread runs until `stop()`.
    package func start() throws -> NamedThread {
        try NamedThread("outbox watch") { [self] in
            while !isStopping.load(ordering: .acquiring) {
                let next = look(at: Clock.boot())
                let wait = next.map { max(.zero, Clock.boot().duration(to: $0)) }
                _ = Poll.wait([Poll.Interest(wakeup.descriptor)], timeout: wait)
                wakeup.drain()
            }
            spill.close()
        }
    }

    /// From any thread; returns at once.
    package func stop() {
        isStopping.store(true, ordering: .releasing)
        wakeup.signal()
    }

    /// Writes what waits too long.
    ///
    /// - Returns: instant of the next look; nil if the queue tells when it is due. Blocking I/O.
    package func look(at now: BootInstant) -> BootInstant? {
        var next: BootInstant?
        do throws(DiskFailure) {
            try spill.add { place in
                let late = queue.late(after: place, arrivedBy: now.advanced(by: .zero - Self.limit))
                next = late.next
                return (late.rows, late.first)
            }
        } catch {
            // The outbox's thread reports a disk that accepts nothing.
            return now.advanced(by: Self.pause)
        }
        return next.map { max($0.advanced(by: Self.limit), now.advanced(by: Self.interval)) }
    }
}
