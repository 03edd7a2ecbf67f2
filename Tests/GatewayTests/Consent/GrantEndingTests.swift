import Foundation
import GatewayModel
import HomeGateway
import Hub
import OutboxService
import RealTime
import Samples
import Synchronization
import TestSupport
import Testing
import Vault

@testable import Consent
@testable import Contract

/// The outbox's turns without its thread, and their reports of grants that have ended.
@Suite struct `The end of a grant` {
    private final class Run {
        let queue: OutboundQueue
        let sending: OutboxDelivery
        private let remains = Mutex<[GrantRemains]>([])
        var told: [GrantRemains] { remains.withLock { $0 } }
        private(set) var desk: OutboxLoop?

        init(
            _ path: String, _ gate: ConsentGate, open: Set<LedgerSequence>,
            isTimeSure: @escaping @Sendable () -> Bool = { true }
        ) {
            queue = OutboundQueue(gate: gate, isTimeSure: isTimeSure)
            sending = OutboxDelivery(queue)
            desk = OutboxLoop(
                path: path, delivery: sending,
                limits: OutboxWriter.Limits(group: .zero, quota: .max, age: .seconds(1_000_000_000)),
                open: open,
                gap: { gap, series in
                    .gap(gap, of: series, id: Sample.id(gap.dropped), at: gap.to, topics: Sample.topics)
                },
                report: { [self] report in
                    guard case .grantEnded(let ended) = report else { return }
                    remains.withLock { $0.append(ended) }
                    // Enqueues a receipt, as the recipient of the report does.
                    let receipt = Envelope(
                        id: Sample.id(900), lane: .live, retention: .certain,
                        disclosure: .receipt(of: ConsentSample.maria), topic: "receipts", payload: [])
                    if let cleared = try? gate.clear(receipt) { queue.enqueue(cleared) }
                })
        }

        func turn(_ purges: OutboxWriter.Purge...) {
            _ = desk?.turn(at: Clock.boot(), purging: purges)
        }

        func kill() { desk = nil }
    }

    private let gate = ConsentGate(ledger: ConsentLedger(persons: [ConsentSample.maria]))
    private let path = FileManager.default.temporaryDirectory.appending(path: "ending-\(UUID()).sqlite").path

    @discardableResult
    private func take(_ act: ConsentAct, at seconds: Int = 0) throws -> LedgerSequence {
        let decision = ConsentDecision(
            act, for: ConsentSample.maria, by: "Maria", means: .commandLine, at: ConsentSample.wall(seconds))
        return try #require(try gate.record(decision).last).sequence
    }

    private func open(asOf last: LedgerSequence) -> Set<LedgerSequence> { gate.snapshot.open(asOf: last) }

    private func grant(_ request: DataRequest? = nil, at seconds: Int = 0) throws -> LedgerSequence {
        try take(.policy(.dataPolicy, .accepted))
        try take(.requested(try request ?? ConsentSample.request()), at: seconds)
        return try take(.granted(ConsentSample.id("r1")), at: seconds)
    }

    private func share(_ numbers: ClosedRange<Int>, through queue: OutboundQueue) {
        for number in numbers {
            for cleared in gate.clearShares(of: Sample.reading(number), at: ConsentSample.wall(1)) {
                let id = Sample.id(number)
                if let message = cleared.reshaped({ Envelope.share($0, id: id, topics: Sample.topics) }) {
                    queue.enqueue(message)
                }
            }
        }
    }

    private func inFiles(_ body: () throws -> Void) rethrows {
        defer {
            let folder = URL(filePath: path).deletingLastPathComponent().path
            let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            for file in files.map({ "\(folder)/\($0)" }) where file.hasPrefix(path) {
                try? FileManager.default.removeItem(atPath: file)
            }
        }
        try body()
    }

    @Test func `says what was deleted, what the broker has last and what is on its way, once`() throws {
        try inFiles {
            let epoch = try grant()
            let run = Run(path, gate, open: open(asOf: epoch))
            run.turn()
            run.sending.connected()
            share(1...4, through: run.queue)
            run.turn()
            for number in 1...2 { #expect(run.sending.next()?.value.id == Sample.id(number)) }
            run.sending.acknowledged(Sample.id(1))
            run.turn()
            let end = try take(.withdrawn(ConsentSample.id("r1")))
            let deleted = Recorder<Int?>()
            let purge = OutboxWriter.Purge(open: open(asOf: end)) { deleted.add($0) }
            run.turn(purge)
            let expected = GrantRemains(
                epoch: epoch, purged: 2, lastSent: [.quantity(.heartRate): Sample.id(1)],
                underway: [Sample.id(2)])
            #expect(run.told == [expected])
            #expect(deleted.values == [2])
            let ending = try #require(gate.snapshot.ending(of: epoch))
            #expect(ending.entry.decision.act == .withdrawn(ConsentSample.id("r1")))
            #expect(ending.grant.request.id == ConsentSample.id("r1"))
            run.turn(purge)
            run.kill()
            let next = Run(path, gate, open: open(asOf: end))
            next.turn()
            #expect(run.told.count == 1 && next.told.isEmpty)
            // The receipt outlives the run that made it.
            #expect(next.queue.owesLastWord)
        }
    }

    /// An acknowledgement reaches the disk a little later than its report.
    @Test func `names the reading that was acknowledged just before it`() throws {
        try inFiles {
            let epoch = try grant()
            let run = Run(path, gate, open: open(asOf: epoch))
            run.turn()
            run.sending.connected()
            share(1...3, through: run.queue)
            run.turn()
            for number in 1...3 {
                #expect(run.sending.next()?.value.id == Sample.id(number))
                run.sending.acknowledged(Sample.id(number))
                if number == 1 { run.turn() }
            }
            let end = try take(.withdrawn(ConsentSample.id("r1")))
            run.turn(OutboxWriter.Purge(open: open(asOf: end)) { _ in })
            let expected = GrantRemains(
                epoch: epoch, purged: 0, lastSent: [.quantity(.heartRate): Sample.id(3)], underway: [])
            #expect(run.told == [expected])
        }
    }

    @Test func `is told by the next run where the gateway died before it could be`() throws {
        try inFiles {
            let epoch = try grant()
            let run = Run(path, gate, open: open(asOf: epoch))
            run.turn()
            share(1...3, through: run.queue)
            run.turn()
            // The decision is written down, and then the power is cut.
            let end = try take(.withdrawn(ConsentSample.id("r1")))
            run.kill()
            let next = Run(path, gate, open: open(asOf: end))
            next.turn()
            #expect(
                next.told == [GrantRemains(epoch: epoch, purged: 3, lastSent: [:], underway: [])])
            #expect(next.queue.count == 1, "the receipt")
        }
    }

    /// By the clock of the machine that runs this, the grant ended in 2001, or begins in 2095.
    @Test(arguments: [(nil, -790_000_000), (2_200_000_000, nil)] as [(Int?, Int?)])
    func `deletes by the time only what a clock that is believed says, and keeps it until then`(
        from: Int?, until: Int?
    ) throws {
        try inFiles {
            // Granted in 2000.
            let epoch = try grant(ConsentSample.request(from: from, until: until), at: -800_000_000)
            let isSure = Mutex(false)
            let run = Run(path, gate, open: open(asOf: epoch)) { isSure.withLock { $0 } }
            run.turn()
            try waiting(1...3, under: epoch, in: run)
            // After another decision and another connection the message is kept and not sent.
            run.turn(OutboxWriter.Purge(open: nil) { _ in })
            run.sending.connected()
            run.turn()
            let offered = run.sending.next()?.value.id
            #expect(offered == nil)
            run.sending.connectionLost()
            run.turn()
            #expect(run.queue.count == 3)
            // The next start keeps it too.
            run.kill()
            let next = Run(path, gate, open: open(asOf: epoch)) { isSure.withLock { $0 } }
            next.turn()
            #expect(next.queue.count == 3)
            isSure.withLock { $0 = true }
            let deleted = Recorder<Int?>()
            next.turn(OutboxWriter.Purge(open: nil) { deleted.add($0) })
            #expect(deleted.values == [3] && next.queue.count == 0)
            #expect(next.told.isEmpty, "the grant is in force")
        }
    }

    /// The clock is trusted, but an end that it reported before was not checked again yet.
    @Test func `deletes nothing of what is suspended`() throws {
        try inFiles {
            let epoch = try grant(ConsentSample.request(until: 2_000_000_000), at: -800_000_000)
            let run = Run(path, gate, open: open(asOf: epoch)) { true }
            run.turn()
            try waiting(1...3, under: epoch, in: run)
            #expect(gate.due(at: ConsentSample.wall(2_000_000_001), isTimeSure: false).isEmpty)
            run.sending.connected()
            #expect(run.sending.next() == nil)
            run.turn(OutboxWriter.Purge(open: nil) { _ in })
            #expect(run.queue.count == 3)
        }
    }

    @Test func `deletes what is withdrawn, whatever is known of the time`() throws {
        try inFiles {
            let epoch = try grant(ConsentSample.request(until: -790_000_000), at: -800_000_000)
            let run = Run(path, gate, open: open(asOf: epoch)) { false }
            run.turn()
            try waiting(1...3, under: epoch, in: run)
            let end = try take(.withdrawn(ConsentSample.id("r1")))
            run.turn(OutboxWriter.Purge(open: open(asOf: end)) { _ in })
            #expect(run.queue.count == 1, "the receipt")
            #expect(run.told.map(\.purged) == [3])
        }
    }

    /// Enqueues messages that were made while the time was correct, as far as was known.
    private func waiting(_ numbers: ClosedRange<Int>, under epoch: LedgerSequence, in run: Run) throws {
        for number in numbers {
            let envelope = Envelope(
                id: Sample.id(number), lane: .live, retention: .sample,
                disclosure: .share(
                    with: ConsentSample.clinic, of: ConsentSample.maria, kind: .quantity(.heartRate),
                    epoch: epoch),
                topic: "t", payload: [])
            run.queue.enqueue(Cleared(envelope))
        }
        run.turn()
    }

    @Test func `is told though the file that knew of the grant was lost in between`() throws {
        try inFiles {
            let epoch = try grant()
            let run = Run(path, gate, open: open(asOf: epoch))
            run.turn()
            try WornCard.lose(0..<1, of: path)
            share(1...2, through: run.queue)
            // One turn finds the damage, and one begins another file.
            for _ in 1...2 { run.turn() }
            #expect(run.told.isEmpty)
            let end = try take(.withdrawn(ConsentSample.id("r1")))
            run.turn(OutboxWriter.Purge(open: open(asOf: end)) { _ in })
            #expect(run.told.map(\.epoch) == [epoch])
        }
    }

    @Test func `is not told while it is not written down: it may come back with the next start`() throws {
        try inFiles {
            let epoch = try grant()
            let run = Run(path, gate, open: open(asOf: epoch))
            share(1...2, through: run.queue)
            run.turn()
            try take(.withdrawn(ConsentSample.id("r1")))
            // The ledger's disk did not accept the entry.
            run.turn(OutboxWriter.Purge(open: nil) { _ in })
            #expect(run.told.isEmpty)
            #expect(run.queue.count == 0, "and none of it leaves")
        }
    }
}
