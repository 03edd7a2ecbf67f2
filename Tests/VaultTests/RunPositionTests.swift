import Consent
import Contract
import GatewayModel
import RunBeacon
import Samples
import Testing
import Vault

@Suite struct `A runner's position on its way` {
    private func position(_ number: Int, bib: Int = 7) -> Envelope {
        .runPosition(
            RaceSample.position(), of: RaceSample.bib(bib), in: RaceSample.run, id: Sample.id(number),
            topics: Sample.topics)
    }

    @Test func `tells where, how sure, how far along the course, how fast, and when where next`() {
        let next = RunnerPosition.Prediction(
            checkpoint: RaceSample.finish, time: Sample.moment(90).wall, bound: .milliseconds(12_001))
        let told = RaceSample.position(
            accuracy: 8.46, distance: 4_210.4, offset: 3.6, speed: 2.932, next: next, flags: [.unsure, .leapt])
        let envelope = Envelope.runPosition(
            told, of: RaceSample.bib(117), in: RaceSample.run, id: Sample.id(1), topics: Sample.topics)
        #expect(envelope.topic == "trackme/v1/house-12/runs/spring-10k/positions")
        #expect(envelope.disclosure == .runner(RaceSample.run, RaceSample.bib(117)))
        #expect(envelope.retention == .sample && envelope.lane == .live && !envelope.isRetained)
        #expect(
            String(decoding: envelope.payload, as: UTF8.self)
                == #"{"accuracy_m":8.5,"age_s":1.3,"bib":117,"box":"house-12","distance_m":4210,"#
                + #""flags":["leapt","unsure"],"id":"\#(Sample.id(1))","latitude":48.208174,"longitude":16.373819,"#
                + #""measured":"2026-03-01T08:30:00.000Z","next_checkpoint":"finish","off_course_m":4,"#
                + #""pace_s_per_km":341,"predicted_at":"2026-03-01T08:31:30.000Z","predicted_bound_s":13,"#
                + #""run":"spring-10k","time":"2026-03-01T08:30:01.250Z"}"#)
    }

    /// A surveyor's receiver is right to a centimetre.
    @Test(arguments: [0.014, 0.04, 0.1]) func `claims no perfect accuracy`(metres: Double) {
        let envelope = Envelope.runPosition(
            RaceSample.position(accuracy: metres), of: RaceSample.bib(117), in: RaceSample.run,
            id: Sample.id(1), topics: Sample.topics)
        #expect(String(decoding: envelope.payload, as: UTF8.self).contains(#""accuracy_m":0.1,"#))
    }

    @Test func `outlives a restart, and leaves for nobody who has left the run`() throws {
        let rig = try StoredOutbox()
        try rig.enqueue([position(1), position(2, bib: 8)])
        try rig.restart()
        let gone = Disclosure.runner(RaceSample.run, RaceSample.bib(7))
        _ = try rig.database.purge { $0.disclosure != gone }
        try rig.restart()
        #expect(try rig.offered() == [position(2, bib: 8)])
    }

    @Test func `is thinned where room is needed, runner by runner, before nothing can be given up`() throws {
        let rig = try StoredOutbox()
        let passing = Envelope.passing(RaceSample.passing(9_001), topics: Sample.topics)
        try rig.enqueue((1...200).map { position($0, bib: $0 % 2 + 1) } + [passing])
        var dropped = 0
        while case let count = try rig.thinned(), count > 0 { dropped += count }
        try rig.restart()
        #expect(dropped == 200)
        // The passing alone: no gap speaks of positions.
        #expect(try rig.offered() == [passing])
    }
}

extension StoredOutbox {
    fileprivate func thinned() throws -> Int {
        try database.thin(
            sparing: [],
            message: { gap, series in
                .gap(gap, of: series, id: Sample.id(9), at: gap.to, topics: Sample.topics)
            })
    }
}
