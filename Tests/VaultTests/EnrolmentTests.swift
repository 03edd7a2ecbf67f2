import Consent
import Foundation
import GRDB
import GatewayModel
import ModelSamples
import RunBeacon
import Samples
import Testing
import Vault

@testable import Contract

@Suite struct `Being enrolled in a run` {
    private static let (spring, autumn) = (RaceSample.run, RunID(sample: "autumn"))
    private let gate = ConsentGate(ledger: ConsentLedger(persons: [Sample.maria]))

    private func lets(_ disclosure: Disclosure) -> Bool {
        let envelope = Envelope(
            id: Sample.id(1), lane: .live, retention: .certain, disclosure: disclosure, topic: "t",
            payload: [])
        return (try? gate.clear(envelope)) != nil
    }

    @Test func `is the consent to be timed in it, in no other, and of nobody else`() {
        #expect(!lets(.runner(Self.spring, RaceSample.bib(7))))
        gate.enrol(Enrolments([Self.spring: [RaceSample.bib(7)], Self.autumn: [RaceSample.bib(8)]]))
        #expect(lets(.runner(Self.spring, RaceSample.bib(7))))
        #expect(
            !lets(.runner(Self.spring, RaceSample.bib(8))) && !lets(.runner(Self.autumn, RaceSample.bib(7))))
        #expect(!lets(.readings(of: Sample.maria, kind: .heartRate)), "it is no consent to anything else")
    }

    @Test func `ends at the instant the runner leaves`() {
        gate.enrol(Enrolments([Self.spring: [RaceSample.bib(7), RaceSample.bib(8)]]))
        gate.enrol(Enrolments([Self.spring: [RaceSample.bib(8)]]))
        #expect(!lets(.runner(Self.spring, RaceSample.bib(7))) && lets(.runner(Self.spring, RaceSample.bib(8))))
    }

    @Test func `lets the box say that it is there, and after the last has left only what became of it`() {
        #expect(!lets(.gateway) && !lets(.receipt(of: nil)) && !gate.isAnythingAccepted)
        gate.enrol(Enrolments([Self.spring: [RaceSample.bib(7)]]))
        #expect(lets(.gateway) && lets(.receipt(of: nil)) && gate.isAnythingAccepted)
        gate.enrol(Enrolments([Self.spring: []]))
        #expect(!lets(.gateway) && lets(.receipt(of: nil)) && !gate.isAnythingAccepted)
    }

    @Test func `is no way for an emergency, and an emergency's way none for it`() {
        gate.enrol(Enrolments([Self.spring: [RaceSample.bib(7)]]))
        #expect(!lets(.emergency(of: Sample.maria)))
        #expect(throws: ConsentGate.Withheld.wrongPath) {
            try gate.discloseInEmergency(
                Envelope.passing(RaceSample.passing(), topics: Sample.topics), message: Sample.id(1),
                at: Sample.moment(0).wall)
        }
    }
}

@Suite struct `A passing on its way` {
    private func passing(_ number: Int, bib: Int) -> Envelope {
        .passing(RaceSample.passing(number, bib: bib), topics: Sample.topics)
    }

    @Test func `tells who was where and when, how sure that is, and what is doubtful`() throws {
        let envelope = Envelope.passing(
            RaceSample.passing(flags: [.tooSoon, .fewHits]), topics: Sample.topics)
        #expect(envelope.topic == "trackme/v1/house-12/runs/spring-10k/passings")
        #expect(envelope.disclosure == .runner(RaceSample.run, RaceSample.bib(117)))
        #expect(envelope.retention == .certain && envelope.lane == .live && !envelope.isRetained)
        #expect(
            String(decoding: envelope.payload, as: UTF8.self)
                == #"{"bib":117,"bound_ms":742,"box":"house-12","checkpoint":"finish","clock":"gps","#
                + #""clock_bound_ms":350,"first":"2026-03-01T08:29:54.000Z","flags":["few-hits","too-soon"],"#
                + #""hits":61,"id":"\#(Sample.id(1))","last":"2026-03-01T08:30:06.000Z","method":"ble-peak","#
                + #""order":1,"rssi":-58,"run":"spring-10k","time":"2026-03-01T08:30:00.000Z"}"#)
    }

    @Test func `says no bound where none is known, and none that is shorter than it is`() {
        let unset = Envelope.passing(
            RaceSample.passing(clock: ClockState(source: .freeRunning, bound: nil)), topics: Sample.topics)
        #expect(!String(decoding: unset.payload, as: UTF8.self).contains("bound_ms"))
        #expect(Duration.nanoseconds(1).boundMilliseconds == 1)
        #expect(Duration.milliseconds(7).boundMilliseconds == 7)
    }

    @Test func `outlives a restart, and does not leave for one who has left the run`() throws {
        let rig = try StoredOutbox()
        try rig.enqueue([passing(1, bib: 7), passing(2, bib: 8), passing(3, bib: 7)])
        try rig.restart()
        let gone: Set = [Disclosure.runner(RaceSample.run, RaceSample.bib(7))]
        let purged = try rig.database.purge { !gone.contains($0.disclosure) }
        #expect(purged == [.runner(RaceSample.run, RaceSample.bib(7)): 2])
        try rig.restart()
        #expect(try rig.offered() == [passing(2, bib: 8)])
    }

    @Test func `of thousands is asked about runner by runner`() throws {
        let rig = try StoredOutbox()
        let race = (1...9_999).map { number in
            Envelope.passing(RaceSample.passing(bib: number % 2_000 + 1), topics: Sample.topics)
        }
        try rig.enqueue(race + [Sample.envelope(1)])
        // A scan of the whole for each of them would take minutes.
        let purged = try rig.database.purge { if case .runner = $0.disclosure { false } else { true } }
        #expect(purged.count == 2_000 && purged.values.reduce(0, +) == 9_999)
        #expect(rig.database.count == 1)
    }

    @Test func `is no position: of those the oldest make room, without a gap, and never the last`() throws {
        let rig = try StoredOutbox()
        let run = RaceSample.run
        let positions = (1...600).map { number in
            let time = WallTime(millisecondsSince1970: 1_772_353_800_000 + Int64(number) * 1_000)
            var random = SystemRandomNumberGenerator()
            return Envelope(
                id: MessageID(wall: time, using: &random), lane: .live, retention: .sample,
                disclosure: .runner(run, RaceSample.bib(number % 2 + 7)), topic: "t", payload: [])
        }
        try rig.enqueue(positions + [passing(1, bib: 7)])
        let thinned = try rig.database.thin(sparing: []) { _, _ in
            Issue.record("no reading is missing")
            return passing(2, bib: 7)
        }
        // One a minute stays of each of the two, and the one of the last second begins another minute.
        #expect(thinned == 600 - 21)
        #expect(rig.database.count == 21 + 1)
        try rig.restart()
        let left = try rig.offered()
        #expect(
            left.contains(passing(1, bib: 7)) && left.contains(positions[599]) && left.contains(positions[598]))
    }

    @Test func `is never thinned`() throws {
        let rig = try StoredOutbox()
        try rig.enqueue([passing(1, bib: 7), Sample.envelope(2), Sample.envelope(3)])
        while try rig.database.thin(
            sparing: [],
            message: { gap, series in
                .gap(gap, of: series, id: Sample.id(9), at: gap.to, topics: Sample.topics)
            }) > 0
        {}
        try rig.restart()
        #expect(try rig.offered().contains(passing(1, bib: 7)))
    }
}
