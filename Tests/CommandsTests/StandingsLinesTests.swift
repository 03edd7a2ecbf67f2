import Hub
import ModelSamples
import RunBeacon
import Samples
import Testing

@testable import Commands
@testable import GatewayModel

@Suite struct `The standings for people` {
    private static let wave = Wave(id: WaveID(sample: "all"), start: Sample.moment(0).wall)

    private func run() throws -> Run {
        func checkpoint(_ name: String, _ distances: [Double]) throws -> Checkpoint {
            try #require(Checkpoint(id: CheckpointID(sample: name), distances: distances))
        }
        let names = [(1, "Ana \u{1B}[31mRed", "w"), (2, "Bo", "m"), (3, "Cy", "m"), (4, "Di", "w")]
        return try Run(
            id: RaceSample.run, title: "Spring 10K", end: Sample.moment(9_000).wall, waves: [Self.wave],
            checkpoints: [
                try checkpoint("start", [0]), try checkpoint("lap", [2_000, 4_000]),
                try checkpoint("finish", [10_000]),
            ],
            participants: names.map {
                Participant(
                    bib: RaceSample.bib($0.0), name: $0.1, category: $0.2, wave: Self.wave.id, tags: [])
            })
    }

    private func lines(
        splits: Bool = false, _ bib4Left: Bool = false, by basis: StandingsBasis = .gun
    ) throws -> [String] {
        var standings = Standings(try run())
        let passings: [(Int, String, Int, Double)] = [
            (1, "start", 1, 4), (1, "lap", 1, 600), (1, "finish", 1, 2_591.26), (2, "finish", 1, 2_591.9),
            (3, "lap", 2, 1_300), (4, "lap", 1, 900),
        ]
        for (number, (bib, checkpoint, order, seconds)) in passings.enumerated() {
            standings.add(
                RaceSample.passing(
                    number, bib: bib, order: order, at: seconds, checkpoint: CheckpointID(sample: checkpoint)))
        }
        if bib4Left { standings.leave(RaceSample.bib(4)) }
        return StandingsLines(
            rows: standings.table(by: basis), points: standings.points, showsSplits: splits, basis: basis
        ).lines
    }

    @Test func `say rank, place, times, gap and how sure they are`() throws {
        #expect(
            try lines(true) == [
                "RANK  BIB  NAME         CATEGORY  AT                GUN        NET        GAP   SURE TO",
                "1     1    Ana [31mRed  w         finish            0:43:11.2  0:43:07.2  -     ±0.8 s",
                "2~    2    Bo           m         finish            0:43:11.9  -          +0.7  ±0.8 s",
                "3     3    Cy           m         lap 2             0:21:40.0  -          -     ±0.8 s",
                "-     4    Di           w         left after lap 1  0:15:00.0  -          -     ±0.8 s",
                "~ closer to the runner before than the error bounds of both times: only a camera can decide",
            ])
    }

    @Test func `show the times at each point when asked`() throws {
        let lines = try lines(splits: true)
        #expect(lines[0].contains("AT      START      LAP 1      LAP 2      FINISH     GUN"))
        #expect(lines[1].contains("0:00:04.0  0:10:00.0  -          0:43:11.2"))
    }

    @Test func `show net times at each point where these rank, and how sure those are`() throws {
        let lines = try lines(splits: true, by: .net)
        #expect(lines[1].contains("0:00:00.0  0:09:56.0  -      0:43:07.2  0:43:11.2  0:43:07.2"))
        // Twice 742 ms.
        #expect(lines[1].hasSuffix("±1.1 s"))
        // Not heard at the start.
        #expect(lines[2].contains("finish  -          -          -      -          0:43:11.9"))
        #expect(lines[2].hasSuffix("±0.8 s"))
    }

    @Test(arguments: [
        (0, "0:00:00.0"), (59_999, "0:00:59.9"), (3_600_000, "1:00:00.0"), (-1_500, "-0:00:01.5"),
        (90_061_100, "25:01:01.1"),
    ])
    func `write times in tenths`(milliseconds: Int, text: String) {
        #expect(StandingsLines.time(.milliseconds(milliseconds)) == text)
    }

    private func lines(_ bib4Left: Bool) throws -> [String] { try lines(splits: false, bib4Left) }
}
