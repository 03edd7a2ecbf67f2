import Consent
import Contract
import GatewayModel
import HomeGateway
import Hub
import RealTime
import Samples
import Synchronization
import Testing
import Vault

@testable import MQTTBridge
@testable import OutboxService

@Suite struct `The queue to the broker` {
    private let gate = ConsentGate(ledger: ConsentLedger(persons: [Sample.maria]))

    /// Where the stack of the caller has come to.
    @inline(never) private static func depth() -> UInt {
        var mark: UInt8 = 0
        return withUnsafePointer(to: &mark) { UInt(bitPattern: $0) }
    }

    /// A bare closure inside a lock comes out wrapped once more each time: after a day of readings, a call would
    /// pass through hundreds of thousands, and no stack has room for them.
    @Test func `tells of the thousandth message by as short a way as of the first`() throws {
        _ = try gate.record(
            ConsentDecision(
                person: Sample.maria, subject: .dataPolicy, verdict: .accepted, by: "test",
                means: .commandLine, at: Clock.wall()))
        let announced = Mutex<[UInt]>([])
        let queue = OutboundQueue(gate: gate, wake: { _ in announced.withLock { $0.append(Self.depth()) } })
        queue.takesReadings()
        announced.withLock { $0.removeAll() }
        let settled = Mutex<[UInt]>([])
        let sending = OutboxDelivery(
            queue, observers: [{ _, _ in settled.withLock { $0.append(Self.depth()) } }])
        for number in 1...1_000 {
            queue.enqueue(try gate.clear(Envelope.sample(Sample.reading(number), topics: Sample.topics)))
            queue.writes()
            sending.acknowledged(try #require(sending.next()).value.id)
        }
        for depths in [announced.withLock { $0 }, settled.withLock { $0 }] {
            #expect(depths.count == 1_000)
            #expect(Set(depths).count == 1)
        }
    }

    @Test func `leaves a gap in the place of a reading that the broker does not take, and of nothing else`()
        throws
    {
        _ = try gate.record(
            ConsentDecision(
                person: Sample.maria, subject: .dataPolicy, verdict: .accepted, by: "test",
                means: .commandLine, at: Clock.wall()))
        let queue = OutboundQueue(gate: gate)
        queue.takesReadings()
        let sending = OutboxDelivery(
            queue, observers: [{ OutboxReporter.replaceRefused($0, $1, in: queue, Sample.topics) }])
        for number in 1...2 {
            queue.enqueue(try gate.clear(Envelope.sample(Sample.reading(number), topics: Sample.topics)))
        }
        queue.writes()
        sending.acknowledged(try #require(sending.next()).value.id)
        #expect(queue.count == 1)
        let refused = try #require(sending.next()).value
        sending.refused(refused.id, .packetTooLarge, reason: "too large")
        queue.writes()
        let gap = try #require(sending.next()).value
        #expect(gap.topic == "\(refused.topic)/gap")
        let text = String(decoding: gap.payload, as: UTF8.self)
        #expect(text.contains(#""reason":"refused""#) && text.contains(#""dropped":1"#))
        #expect(text.contains(#""from":"\#(refused.arrived.rfc3339)""#))
        // A gap that is refused as well leaves none, and waits.
        sending.refused(gap.id, .packetTooLarge, reason: "too large")
        #expect(queue.count == 1)
        #expect(sending.next() == nil)
    }

    @Test(
        arguments: [
            (0x87, .topic), (0x97, .everything), (0x83, .either), (0x80, .either), (0x95, .message),
            (0x90, .message), (0x99, .message),
        ] as [(UInt8, Outbox.Refusal)])
    func `takes a refusal for what its code speaks of`(code: UInt8, refusal: Outbox.Refusal) {
        #expect(Outbox.Refusal(ReasonCode(rawValue: code)) == refusal)
    }

    /// Else it would be taken back with every message that is taken, and told again with every one that is not.
    @Test func `knows that something is refused until the broker takes it`() throws {
        _ = try gate.record(
            ConsentDecision(
                person: Sample.maria, subject: .dataPolicy, verdict: .accepted, by: "test",
                means: .commandLine, at: Clock.wall()))
        let queue = OutboundQueue(gate: gate)
        queue.takesReadings()
        queue.enqueue(Sample.cleared(1, topic: "refused"))
        queue.enqueue(Sample.cleared(2, topic: "taken"))
        queue.writes()
        let fates = Mutex<[String]>([])
        let sending = OutboxDelivery(
            queue,
            observers: [
                { envelope, fate in
                    let word = if case .postponed = fate { "postponed" } else { "\(fate)" }
                    fates.withLock { $0.append("\(envelope.topic) \(word)") }
                }
            ])
        let first = try #require(sending.next()).value
        sending.refused(first.id, ReasonCode(rawValue: 0x87), reason: "not authorized (0x87)")
        #expect(queue.isRefused)
        sending.acknowledged(try #require(sending.next()).value.id)
        #expect(queue.isRefused)
        #expect(fates.withLock { $0 } == ["refused postponed", "taken acknowledged"])
        #expect(queue.count == 1)
    }
}
