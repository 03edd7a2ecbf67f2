import GatewayModel
import ModelSamples
import RaceSimulation
import RunBeacon
import SeededRandom
import Testing

/// A run of 10 km with a start, a point half way and a finish, and passings of it.
struct StandingsField {
    let start = WallTime(millisecondsSince1970: 1_790_000_000_000)
    let run = RunID(sample: "city-10k")

    /// Odd bibs run as `m`, even ones as `w`.
    func standings(bibs: ClosedRange<Int>) throws -> Standings {
        Standings(try makeRun(bibs: bibs))
    }

    func makeRun(bibs: ClosedRange<Int>) throws -> Run {
        let wave = Wave(id: WaveID(sample: "all"), start: start)
        return try Run(
            id: run, title: "City 10K", end: time(after: 10_000), waves: [wave],
            checkpoints: [
                try checkpoint("start", 0), try checkpoint("half", 5_000),
                try checkpoint("finish", 10_000, isFinish: true),
            ],
            participants: bibs.map {
                Participant(
                    bib: try #require(Bib($0)), name: "Runner \($0)",
                    category: $0.isMultiple(of: 2) ? "w" : "m",
                    wave: wave.id, tags: [])
            })
    }

    private func checkpoint(_ name: String, _ distance: Double, isFinish: Bool = false) throws -> Checkpoint {
        try #require(
            Checkpoint(id: CheckpointID(sample: name), distances: [distance], isFinish: isFinish))
    }

    func time(after seconds: Int) -> WallTime {
        WallTime(millisecondsSince1970: start.millisecondsSince1970 + Int64(seconds) * 1_000)
    }

    /// - Parameter bound: milliseconds.
    func passing(
        _ bib: Int, _ checkpoint: String, order: Int? = 1, after seconds: Int, bound: Int? = 500,
        method: Passing.Method = .blePeak, run: String = "city-10k"
    ) throws -> Passing {
        var random = SystemRandomNumberGenerator()
        let time = time(after: seconds)
        return Passing(
            id: MessageID(wall: time, using: &random), run: RunID(sample: run),
            checkpoint: CheckpointID(sample: checkpoint), gateway: GatewayID(sample: "box"),
            bib: try #require(Bib(bib)), order: order, time: time, first: time, last: time,
            clock: ClockState(source: .gps, bound: .milliseconds(50)),
            bound: bound.map { .milliseconds($0) }, hits: 20, strongest: -60, method: method, flags: [])
    }

    func random(bibs: ClosedRange<Int>, _ random: inout SeededGenerator) throws -> Passing {
        let places = [("start", 0), ("half", 1_200), ("finish", 2_400)]
        let (name, seconds) = places[Int.random(in: 0..<3, using: &random)]
        let methods = Passing.Method.allCases
        // Few times and bounds, so that many are equal.
        return try passing(
            Int.random(in: bibs, using: &random), name,
            order: Int.random(in: 0..<10, using: &random) == 0 ? nil : 1,
            after: seconds + 10 * Int.random(in: 0...5, using: &random),
            bound: [nil, 300, 600][Int.random(in: 0..<3, using: &random)],
            method: methods[Int.random(in: 0..<methods.count, using: &random)])
    }
}
