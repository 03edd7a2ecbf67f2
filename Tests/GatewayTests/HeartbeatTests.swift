import Consent
import Contract
import Foundation
import GatewayModel
import HomeGateway
import MQTTBridge
import ModelSamples
import Samples
import Testing

@testable import Hub
@testable import OutboxService

@Suite struct `A heartbeat` {
    private static let paolo = PersonID(sample: "paolo")

    private func heartbeat(of persons: [PersonID] = [Sample.maria]) -> Heartbeat {
        Heartbeat(
            uptime: .seconds(90),
            conditions: [
                HealthCondition(.realtimeUnavailable), HealthCondition(.wearableAway, subject: "strap"),
            ], openAlarms: 1, unsent: 7,
            wearables: persons.map {
                Heartbeat.Wearable(
                    device: DeviceID(sample: "strap-of-\($0)"), person: $0,
                    lastReadingAge: .milliseconds(2_900))
            }, power: Heartbeat.Power(hasMains: false, batteryPercent: 41))
    }

    private func envelope(_ heartbeat: Heartbeat) -> Envelope {
        .heartbeat(
            heartbeat, version: "1.2.3", interval: .seconds(60), id: Sample.id(1), at: Sample.moment(0).wall,
            topics: Sample.topics)
    }

    private func gate(_ accepting: [PersonID]) throws -> ConsentGate {
        let gate = ConsentGate(ledger: ConsentLedger(persons: [Sample.maria, Self.paolo]))
        for person in accepting { try decide(person, .accepted, gate) }
        return gate
    }

    private func decide(_ person: PersonID, _ verdict: ConsentDecision.Verdict, _ gate: ConsentGate) throws {
        _ = try gate.record(
            ConsentDecision(
                person: person, subject: .dataPolicy, verdict: verdict, by: "test", means: .commandLine,
                at: Sample.moment(0).wall))
    }

    @Test func `says how the box is`() {
        let envelope = envelope(heartbeat())
        #expect(envelope.topic == "trackme/v1/house-12/heartbeat")
        #expect(!envelope.isRetained && envelope.lane == .live)
        #expect(
            String(decoding: envelope.payload, as: UTF8.self)
                == #"{"condition_count":2,"id":"\#(Sample.id(1))","interval_s":60,"open_alarms":1,"#
                + #""power":{"battery_percent":41,"mains":false},"time":"2026-03-01T08:30:00.000Z","unsent":7,"#
                + #""uptime_s":90,"version":"1.2.3","wearables":[{"device":"strap-of-maria","last_reading_s":2}],"#
                + #""worst":"supervision"}"#)
    }

    @Test func `leaves only while everyone it speaks of agrees`() throws {
        let both = envelope(heartbeat(of: [Sample.maria, Self.paolo]))
        let gate = try gate([Sample.maria])
        #expect(throws: ConsentGate.Withheld.dataPolicyNotAccepted(Self.paolo)) { try gate.clear(both) }
        try decide(Self.paolo, .accepted, gate)
        #expect(throws: Never.self) { try gate.clear(both) }
        try decide(Sample.maria, .withdrawn, gate)
        #expect(throws: ConsentGate.Withheld.dataPolicyNotAccepted(Sample.maria)) { try gate.clear(both) }
    }

    @Test func `of nobody leaves once anybody has accepted`() throws {
        let nobody = envelope(heartbeat(of: []))
        #expect(throws: ConsentGate.Withheld.nothingAccepted) { try gate([]).clear(nobody) }
        #expect(throws: Never.self) { try gate([Self.paolo]).clear(nobody) }
    }

    @Test func `is not kept over a stop`() {
        #expect(StoredEnvelope(envelope(heartbeat(of: [Sample.maria]))) == nil)
    }

    @Test func `comes at its interval, which can be changed within bounds`() {
        var rhythm = HeartbeatRhythm(every: .seconds(60))
        func isDue(_ seconds: Double) -> Bool { rhythm.isDue(at: Sample.moment(seconds).boot) }
        let first = [0, 59.9, 60, 60.1, 119.9, 120].map(isDue)
        #expect(first == [true, false, true, false, false, true])
        rhythm.change(to: .seconds(1))
        #expect(rhythm.interval == .seconds(10))
        let fast = [129.9, 130].map(isDue)
        #expect(fast == [false, true])
        rhythm.change(to: .seconds(1_000_000))
        #expect(rhythm.interval == .seconds(86_400))
    }

    @Test func `does not wait in a queue behind another, nor for a broker`() throws {
        let gate = try gate([Sample.maria])
        let queue = OutboundQueue(gate: gate)
        let beats = Heartbeats(
            every: .seconds(10), version: "0.1.0", queue: queue, gate: gate, topics: Sample.topics)
        let sending = OutboxDelivery(queue, observers: [beats.settled])
        beats.tick(at: Sample.moment(0)) { heartbeat() }
        #expect(queue.count == 0, "no broker")
        sending.connected()
        beats.tick(at: Sample.moment(1)) { heartbeat() }
        beats.tick(at: Sample.moment(20)) { heartbeat() }
        #expect(queue.count == 1, "the one before is on its way")
        let sent = try #require(sending.next())
        sending.acknowledged(sent.value.id)
        beats.tick(at: Sample.moment(21)) { heartbeat() }
        #expect(queue.count == 1)
    }
}
