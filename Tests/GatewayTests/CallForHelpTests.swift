import Consent
import Contract
import GatewayModel
import HomeGateway
import Hub
import MQTTBridge
import OutboxService
import RealTime
import SOSLocal
import Samples
import Synchronization
import Testing

@testable import Alarms
@testable import HelpLine

/// The way of a call from the machine to the queue and back, without threads.
@Suite struct `A call for help` {
    private final class Told: Sendable {
        let events = Mutex<[SOSEvent]>([])
        let withheld = Mutex<[String]>([])

        func hear(_ channel: ChannelID, _ word: ChannelEvent) {
            events.withLock { $0.append(.channel(channel, word)) }
        }
    }

    private static let profile = PersonProfile(
        id: Sample.maria, name: "Maria Rossi", home: InstalledPlace(address: "x", coordinates: nil))

    private let gate = ConsentGate(ledger: ConsentLedger(persons: [Sample.maria]))
    private let told = Told()
    private let queue: OutboundQueue
    private let sending: OutboxDelivery
    private let channel: MQTTChannel
    private let delivery: Dispatcher.Delivery

    init() throws {
        queue = OutboundQueue(gate: gate)
        channel = MQTTChannel(
            queue: queue, topics: Sample.topics,
            reports: ChannelReports(
                about: { [told] in told.hear(MQTTChannel.id, $0) }, tested: { _ in }, noticed: { _, _ in }))
        delivery = Dispatcher.Delivery(
            gate: gate,
            reports: Dispatcher.Reports(
                about: { [told] in told.hear($0, $1) }, given: { _, _ in },
                withheld: { [told] _, reason in told.withheld.withLock { $0.append(reason) } }))
        delivery.replace(channels: [channel], profiles: [Self.profile])
        sending = OutboxDelivery(queue, observers: [channel.settled])
        try decide(.dataPolicy, .accepted)
        try decide(.automatedSOS, .accepted)
    }

    private func decide(_ subject: ConsentSubject, _ verdict: ConsentDecision.Verdict) throws {
        _ = try gate.record(
            ConsentDecision(
                person: Sample.maria, subject: subject, verdict: verdict, by: "test", means: .commandLine,
                at: Clock.wall()))
    }

    /// Ordered by a machine whose crossing came at 10 s, without confirmation.
    private func machineWithCall() -> SOSMachine {
        let rule = LimitRule(
            kind: .heartRate, side: .high, limit: 131,
            confirmation: Confirmation(readings: 1, within: .seconds(2)), hysteresis: 5)
        let plan = SOSPlan(
            person: Sample.maria, rules: [rule], windows: AbortWindows(vitalSign: .seconds(2)),
            ways: EscalationPlan(channels: [MQTTChannel.id]))
        var machine = SOSMachine(
            plans: [plan], installed: InstalledPlace(address: "x", coordinates: nil),
            startingAt: Sample.moment(0).boot)
        _ = machine.handle(.reading(Sample.reading(10, bpm: 150)), at: Sample.moment(10).boot)
        perform(machine.advance(to: Sample.moment(12).boot), &machine, at: 12)
        return machine
    }

    /// - Returns: the channels' failures that the house hears of.
    @discardableResult
    private func perform(
        _ actions: [SOSAction], _ machine: inout SOSMachine, at seconds: Double
    ) -> [String] {
        for action in actions {
            switch action {
            case .dispatch(let order): delivery.deliver(.call(order, of: Self.profile))
            case .retract(let retraction): delivery.deliver(.retraction(retraction, of: Self.profile))
            default: break
            }
        }
        var failures = actions.compactMap { action in
            if case .noteFailure(_, _, let reason, _) = action { reason } else { nil }
        }
        let events = told.events.withLock { events in
            defer { events = [] }
            return events
        }
        for event in events {
            failures += perform(
                machine.handle(event, at: Sample.moment(seconds).boot), &machine, at: seconds)
        }
        return failures
    }

    @Test func `that lost its consent while it waited is told in the house, and ordered again when it is back`()
        throws
    {
        var machine = machineWithCall()
        #expect(queue.count == 1)
        try decide(.automatedSOS, .withdrawn)
        #expect(sending.purgeWithheld().values.reduce(0, +) == 1)
        #expect(perform([], &machine, at: 13) == [Dispatcher.termsMissing])
        try decide(.automatedSOS, .accepted)
        perform(machine.advance(to: Sample.moment(42).boot), &machine, at: 42)
        #expect(queue.count == 1)
    }

    @Test func `of somebody without the terms is told to nobody, and the house knows`() throws {
        try decide(.automatedSOS, .withdrawn)
        var machine = machineWithCall()
        #expect(queue.count == 0)
        #expect(told.withheld.withLock { $0 } == [Dispatcher.termsMissing])
        perform(machine.advance(to: Sample.moment(18).boot), &machine, at: 18)
        #expect(queue.count == 0)
    }

    private func abort(_ machine: inout SOSMachine, at seconds: Double) -> [String] {
        let act = PersonAct(by: "Maria", means: .commandLine)
        return perform(
            machine.handle(.abort(.theOpenOne, act), at: Sample.moment(seconds).boot), &machine, at: seconds)
    }

    @Test func `that has arrived is taken back after the terms were withdrawn, and the gate says as what`()
        throws
    {
        var machine = machineWithCall()
        sending.acknowledged(try #require(sending.next()).value.id)
        perform([], &machine, at: 12.5)
        try decide(.dataPolicy, .withdrawn)
        #expect(!queue.owesLastWord)
        #expect(abort(&machine, at: 20) == [])
        #expect(queue.owesLastWord)
        let word = try #require(sending.next()).value
        #expect(String(decoding: word.payload, as: UTF8.self).contains("\"cancelled\""))
        #expect(Set(gate.emergencies.map(\.what)) == [.emergency, .itsEnd])
        sending.acknowledged(word.id)
        #expect(!queue.owesLastWord)
    }

    @Test func `that may not have arrived is not spoken of after the terms were withdrawn`() throws {
        var machine = machineWithCall()
        try decide(.automatedSOS, .withdrawn)
        #expect(sending.purgeWithheld().values.reduce(0, +) == 1)
        perform([], &machine, at: 13)
        #expect(abort(&machine, at: 20) == [Dispatcher.termsMissing])
        #expect(queue.count == 0)
        #expect(gate.emergencies.map(\.what) == [.emergency])
    }

    @Test func `and its cancellation go together where they wait for the broker`() throws {
        var machine = machineWithCall()
        #expect(abort(&machine, at: 20) == [])
        #expect(queue.count == 2)
        try decide(.automatedSOS, .withdrawn)
        #expect(sending.purgeWithheld().values.reduce(0, +) == 2)
    }

    @Test func `that the broker refuses is told in the house, and ordered again`() throws {
        var machine = machineWithCall()
        let message = try #require(sending.next()).value
        sending.refused(message.id, ReasonCode(rawValue: 0x87), reason: "not authorized (0x87)")
        #expect(perform([], &machine, at: 13).first?.contains("not authorized") == true)
        #expect(queue.count == 0)
        perform(machine.advance(to: Sample.moment(42).boot), &machine, at: 42)
        #expect(queue.count == 1)
    }

    @Test func `is handed over only when the broker says so`() throws {
        var machine = machineWithCall()
        #expect(machine.openAlarms.map(\.call) == [.trying])
        sending.acknowledged(try #require(sending.next()).value.id)
        perform([], &machine, at: 12.5)
        #expect(machine.openAlarms.map(\.call) == [.handedOver])
    }

    @Test func `goes out while refused readings wait`() throws {
        queue.takesReadings()
        queue.enqueue(try gate.clear(Envelope.sample(Sample.reading(1), topics: Sample.topics)))
        queue.writes()
        let reading = try #require(sending.next()).value
        sending.refused(reading.id, ReasonCode(rawValue: 0x97), reason: "quota exceeded (0x97)")
        #expect(queue.count == 1, "a reading that is refused is kept")
        #expect(sending.next() == nil, "and not offered again at once")
        _ = machineWithCall()
        #expect(sending.next()?.value.lane == .alarm)
    }

    @Test func `that is too large for the broker is not offered for ever`() throws {
        queue.takesReadings()
        queue.enqueue(try gate.clear(Envelope.sample(Sample.reading(1), topics: Sample.topics)))
        queue.writes()
        let reading = try #require(sending.next()).value
        sending.refused(reading.id, ReasonCode(rawValue: 0x95), reason: "packet too large (0x95)")
        #expect(queue.count == 0)
    }
}
