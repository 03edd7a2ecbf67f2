import Consent
import Contract
import Foundation
import GatewayModel
import HomeGateway
import Hub
import OutboxService
import RealTime
import Samples
import Synchronization
import Testing
import Vault

/// Turns of the outbox's thread, on a database of its own.
@Suite struct `The outbox's desk` {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "desk-\(UUID())")
    private let start = BootInstant(nanoseconds: 1_000_000_000_000)
    private let queue: OutboundQueue
    private let sending: OutboxDelivery

    init() throws {
        let gate = ConsentGate(ledger: ConsentLedger(persons: [Sample.maria]))
        _ = try gate.record(
            ConsentDecision(
                person: Sample.maria, subject: .dataPolicy, verdict: .accepted, by: "test", means: .commandLine,
                at: Clock.wall()))
        queue = OutboundQueue(gate: gate)
        sending = OutboxDelivery(queue)
    }

    private func withDesk(_ body: (OutboxLoop) throws -> Void) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let limits = OutboxWriter.Limits(group: .seconds(1), quota: 1 << 30, age: .seconds(86_400))
        let desk = OutboxLoop(
            path: folder.appending(path: "outbox.sqlite").path, delivery: sending, limits: limits, open: [],
            gap: {
                .gap($0, of: $1, id: Sample.id(9_999), at: Sample.moment(0).wall, topics: Sample.topics)
            },
            report: { _ in })
        defer { desk.close() }
        try body(desk)
    }

    /// The first reading after a pause never waits.
    private func writeOne(_ desk: OutboxLoop) {
        queue.enqueue(Sample.cleared(1))
        _ = desk.turn(at: start)
        #expect(queue.undurable == 0)
        queue.enqueue(Sample.cleared(2))
    }

    @Test func `writes what comes in quick succession together, and not later than it says`() throws {
        try withDesk { desk in
            writeOne(desk)
            let next = try #require(desk.turn(at: start.advanced(by: .milliseconds(1))))
            #expect(queue.undurable == 1 && next == start.advanced(by: Outbox.writeInterval))
            queue.enqueue(Sample.cleared(3))
            _ = desk.turn(at: next.advanced(by: .nanoseconds(-1)))
            #expect(queue.undurable == 2)
            _ = desk.turn(at: next)
            #expect(queue.undurable == 0)
        }
    }

    @Test func `lets nothing wait beside what is kept for certain`() throws {
        try withDesk { desk in
            writeOne(desk)
            _ = desk.turn(at: start)
            #expect(queue.undurable == 1)
            queue.enqueue(Sample.cleared(3, retention: .certain))
            _ = desk.turn(at: start)
            #expect(queue.undurable == 0)
        }
    }

    /// While a backlog drains, rows are deleted all the time.
    @Test func `lets no reading wait because something was deleted`() throws {
        try withDesk { desk in
            sending.connected()
            queue.enqueue(Sample.cleared(1))
            _ = desk.turn(at: start)
            sending.acknowledged(try #require(sending.next()).value.id)
            let deletion = start.advanced(by: .seconds(1))
            _ = desk.turn(at: deletion)
            #expect(queue.count == 0)
            queue.enqueue(Sample.cleared(2))
            _ = desk.turn(at: deletion)
            #expect(queue.undurable == 0)
        }
    }

    @Test func `writes what waits before it is counted, and at the end`() throws {
        try withDesk { desk in
            writeOne(desk)
            let counted = Mutex<Int?>(nil)
            let count = OutboxWriter.Errand.count(Sample.maria) { number in counted.withLock { $0 = number } }
            _ = desk.turn(at: start, errands: [count])
            #expect(counted.withLock { $0 } == 2)
            queue.enqueue(Sample.cleared(3))
            _ = desk.turn(at: start)
            #expect(queue.undurable == 1)
            _ = desk.turn(at: start, isLast: true)
            #expect(queue.undurable == 0)
        }
    }
}
