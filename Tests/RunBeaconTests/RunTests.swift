import GatewayModel
import RunBeacon
import Testing

@Suite struct `A run` {
    private let wave = WaveID(checked: "all")

    private func run(
        start: Int64 = 1_000, end: Int64 = 2_000, bibs: [Int] = [1, 2], tags: [TagIdentity] = [],
        wave: WaveID? = nil, checkpoints: [String] = ["finish"]
    ) throws -> Run {
        try Run(
            id: RunID(checked: "city-10k"), title: "City 10K", end: WallTime(millisecondsSince1970: end),
            waves: [Wave(id: self.wave, start: WallTime(millisecondsSince1970: start))],
            checkpoints: checkpoints.map {
                try #require(Checkpoint(id: CheckpointID(checked: $0), distances: [10_000]))
            },
            participants: bibs.map {
                Participant(bib: try #require(Bib($0)), wave: wave ?? self.wave, tags: tags)
            })
    }

    @Test func `tracks from its start until its end`() throws {
        let run = try run()
        let times: [Int64] = [999, 1_000, 1_999, 2_000]
        #expect(
            times.map { run.state(at: WallTime(millisecondsSince1970: $0)) } == [
                .idle, .underway, .underway, .over,
            ])
    }

    @Test func `is none that ends before it starts, gives a name twice or has nobody's wave`() throws {
        #expect(throws: Run.Flaw.endsBeforeStart(wave)) { try run(start: 2_000) }
        #expect(throws: Run.Flaw.doubled(what: "bibs", name: "7")) { try run(bibs: [7, 7]) }
        #expect(throws: Run.Flaw.doubled(what: "checkpoints", name: "a")) { try run(checkpoints: ["a", "a"]) }
        #expect(throws: Run.Flaw.noCheckpoint) { try run(checkpoints: []) }
        let other = WaveID(checked: "other")
        #expect(throws: Run.Flaw.unknownWave(other, of: try #require(Bib(1)))) { try run(wave: other) }
    }

    @Test func `is none where two runners have one tag`() throws {
        let tag = TagIdentity.address(try #require(DeviceAddress("C0:FF:EE:00:00:01")))
        #expect(throws: Run.Flaw.sharedTag(try #require(Bib(1)), try #require(Bib(2)))) { try run(tags: [tag]) }
    }

    @Test func `has a point where a start is left last, a finish reached first, and others are passed`() throws
    {
        let rules = [(0.0, false), (5_000, false), (10_000, true)].map {
            Checkpoint(id: CheckpointID(checked: "x"), distances: [$0], isFinish: $1)?.rule
        }
        #expect(rules == [.last, .best, .first])
        #expect(Checkpoint(id: CheckpointID(checked: "x"), distances: []) == nil)
        #expect(Checkpoint(id: CheckpointID(checked: "x"), distances: [2, 1]) == nil)
        #expect(Checkpoint(id: CheckpointID(checked: "x"), distances: [.nan]) == nil)
    }

    @Test(arguments: [0, 100_000, -1])
    func `has no bib but 1 to 99,999`(number: Int) { #expect(Bib(number) == nil) }
}
