import Foundation
import GatewayModel
import Synchronization
import Testing
import Vault

@testable import Consent
@testable import Contract
@testable import HomeGateway

/// Turns of the outbox's thread, on a database of its own.
@Suite struct `The outbox's desk` {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "desk-\(UUID())")
    private let queue = OutboundQueue(gate: ConsentGate(ledger: ConsentLedger(persons: [Sample.maria])))

    private func withDesk(_ body: (OutboxDesk) throws -> Void) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let limits = OutboxWriter.Limits(group: .seconds(1), quota: 1 << 30, age: .seconds(86_400))
        let desk = OutboxDesk(
            path: folder.appending(path: "outbox.sqlite").path, queue: queue, limits: limits, open: [],
            gap: {
                .gap($0, for: $1, id: Sample.id(9_999), at: Sample.moment(0).wall, topics: Sample.topics)
            },
            report: { _ in })
        defer { desk.close() }
        try body(desk)
    }

    /// Turn by turn until a reading waits for those that follow: the first after a pause never does, and on a
    /// busy machine one that comes late is such a first.
    private func turnsUntilOneWaits(_ desk: OutboxDesk) -> Duration? {
        for number in 1...1_000 {
            queue.enqueue(Sample.cleared(number))
            let wait = desk.turn(purging: [], errands: [], isLast: false)
            if queue.undurable > 0 { return wait }
        }
        return nil
    }

    @Test func `writes what comes in quick succession together, and not later than it says`() throws {
        try withDesk { desk in
            queue.enqueue(Sample.cleared(2_000))
            _ = desk.turn(purging: [], errands: [], isLast: false)
            #expect(queue.undurable == 0)
            let wait = try #require(turnsUntilOneWaits(desk))
            #expect(wait > .zero && wait <= Outbox.gathering)
            Thread.sleep(forTimeInterval: wait / .seconds(1))
            _ = desk.turn(purging: [], errands: [], isLast: false)
            #expect(queue.undurable == 0)
        }
    }

    @Test func `lets nothing wait beside what is kept for certain`() throws {
        try withDesk { desk in
            _ = try #require(turnsUntilOneWaits(desk))
            queue.enqueue(Sample.cleared(2_000, retention: .certain))
            _ = desk.turn(purging: [], errands: [], isLast: false)
            #expect(queue.undurable == 0)
        }
    }

    @Test func `writes what waits before it is counted, and at the end`() throws {
        try withDesk { desk in
            _ = try #require(turnsUntilOneWaits(desk))
            let stored = queue.count
            let counted = Mutex<Int?>(nil)
            let count = OutboxWriter.Errand.count(Sample.maria) { number in counted.withLock { $0 = number } }
            _ = desk.turn(purging: [], errands: [count], isLast: false)
            #expect(counted.withLock { $0 } == stored)
            _ = try #require(turnsUntilOneWaits(desk))
            _ = desk.turn(purging: [], errands: [], isLast: true)
            #expect(queue.undurable == 0)
        }
    }
}
