import GatewayModel
import ModelSamples
import RunBeacon
import Testing

@Suite struct `A run` {
    private let wave = WaveID(sample: "all")

    private func run(
        start: Int64 = 1_000, end: Int64 = 2_000, bibs: [Int] = [1, 2], tags: [TagIdentity] = [],
        wave: WaveID? = nil, checkpoints: [String] = ["finish"]
    ) throws -> Run {
        try Run(
            id: RunID(sample: "city-10k"), title: "City 10K", end: WallTime(millisecondsSince1970: end),
            waves: [Wave(id: self.wave, start: WallTime(millisecondsSince1970: start))],
            checkpoints: checkpoints.map {
                try #require(Checkpoint(id: CheckpointID(sample: $0), distances: [10_000]))
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
        let other = WaveID(sample: "other")
        #expect(throws: Run.Flaw.unknownWave(other, of: try #require(Bib(1)))) { try run(wave: other) }
    }

    @Test func `is none where two runners have one tag`() throws {
        let tag = TagIdentity.address(try #require(DeviceAddress("C0:FF:EE:00:00:01")))
        #expect(throws: Run.Flaw.sharedTag(try #require(Bib(1)), try #require(Bib(2)))) { try run(tags: [tag]) }
    }

    @Test func `is none where what tells positions is two runners', or stands at a checkpoint`() throws {
        let (one, two) = (try #require(Bib(1)), try #require(Bib(2)))
        let box = GatewayID(sample: "house-14")
        func run(_ participants: [Participant], standing: GatewayID? = nil) throws -> Run {
            try Run(
                id: RunID(sample: "city-10k"), title: "City 10K", end: WallTime(millisecondsSince1970: 2_000),
                waves: [Wave(id: wave, start: WallTime(millisecondsSince1970: 1_000))],
                checkpoints: [
                    try #require(Checkpoint(id: CheckpointID(sample: "a"), distances: [10], box: standing))
                ], participants: participants)
        }
        func runner(_ bib: Bib, person: String? = nil, carries box: GatewayID? = nil) -> Participant {
            Participant(
                bib: bib, wave: wave, tags: [], person: person.map { PersonID(sample: $0) }, carries: box)
        }
        #expect(throws: Run.Flaw.samePerson(one, two)) {
            try run([runner(one, person: "anna"), runner(two, person: "anna")])
        }
        #expect(throws: Run.Flaw.sharedBox(one, two)) {
            try run([runner(one, carries: box), runner(two, carries: box)])
        }
        #expect(throws: Run.Flaw.standingBox(box, of: one)) {
            try run([runner(one, carries: box)], standing: box)
        }
        // The only checkpoint is where the box stands that is not told, but not one that is carried.
        #expect(try run([runner(one, person: "anna")]).checkpoint(of: box) != nil)
        #expect(try run([runner(one, carries: box)]).checkpoint(of: box) == nil)
    }

    @Test func `has a point where a start is left last, a finish reached first, and others are passed`() throws
    {
        let rules = [(0.0, false), (5_000, false), (10_000, true)].map {
            Checkpoint(id: CheckpointID(sample: "x"), distances: [$0], isFinish: $1)?.rule(forOrder: 1)
        }
        #expect(rules == [.last, .best, .first])
        // One box for all of it.
        let arch = Checkpoint(id: CheckpointID(sample: "x"), distances: [0, 5_000, 10_000], isFinish: true)
        #expect((1...3).map { arch?.rule(forOrder: $0) } == [.last, .best, .first])
        let written = Checkpoint(
            id: CheckpointID(sample: "x"), distances: [0, 10_000], isFinish: true, rule: .best)
        #expect((1...2).map { written?.rule(forOrder: $0) } == [.best, .best])
        #expect(Checkpoint(id: CheckpointID(sample: "x"), distances: []) == nil)
        #expect(Checkpoint(id: CheckpointID(sample: "x"), distances: [2, 1]) == nil)
        #expect(Checkpoint(id: CheckpointID(sample: "x"), distances: [.nan]) == nil)
    }

    @Test func `has no point farther off than any run goes, and no split of more than a day`() {
        func isPoint(_ distances: [Double], _ split: Duration = .zero) -> Bool {
            Checkpoint(id: CheckpointID(sample: "x"), distances: distances, minimumSplit: split) != nil
        }
        #expect(isPoint([0, 1_000_000], .seconds(86_400)))
        for far in [1e21, 1_000_000.5, -0.5, .infinity, .greatestFiniteMagnitude] { #expect(!isPoint([far])) }
        for split in [Duration.milliseconds(Int64.max), .milliseconds(Int64.min), .milliseconds(-1)] {
            #expect(!isPoint([1], split))
        }
    }

    @Test(arguments: [0, 100_000, -1])
    func `has no bib but 1 to 99,999`(number: Int) { #expect(Bib(number) == nil) }
}
