import GatewayModel
import ModelSamples
import RaceSimulation
import RunBeacon
import SeededRandom
import Testing

/// A run with two waves, and passages made by hand at seconds after its first start.
struct TimedTrack {
    static let box = GatewayID(sample: "box-1")
    /// Of the first start, since the boot and since 1970.
    private static let boot = 10_000.0
    private static let day = 1_800_000_000.0
    private static let good = ClockState(source: .gps, bound: .zero)

    static func bib(_ number: Int) -> Bib {
        guard let bib = Bib(number) else { preconditionFailure("\(number) is no bib") }
        return bib
    }

    func wall(_ seconds: Double) -> WallTime {
        WallTime(millisecondsSince1970: Int64(((Self.day + seconds) * 1_000).rounded()))
    }

    func seconds(of time: WallTime) -> Double {
        Double(time.millisecondsSince1970 - wall(0).millisecondsSince1970) / 1_000
    }

    func instant(_ seconds: Double) -> BootInstant {
        BootInstant(nanoseconds: Int64(((Self.boot + seconds) * 1_000).rounded()) * 1_000_000)
    }

    func id(_ seed: UInt64) -> MessageID {
        var random = SeededGenerator(seed: seed)
        return MessageID(wall: wall(0), using: &random)
    }

    /// Bib 2 starts ten minutes after the others.
    func run(_ checkpoint: Checkpoint, bibs: [Int] = [1, 2] + Array(10..<30), id: String = "city-10k") throws
        -> Run
    {
        try run([checkpoint], bibs: bibs, id: id)
    }

    func run(_ checkpoints: [Checkpoint], bibs: [Int], id: String = "city-10k") throws -> Run {
        let waves = [0.0, 600].enumerated().map { index, start in
            Wave(id: WaveID(sample: "\(index)"), start: wall(start))
        }
        return try Run(
            id: RunID(sample: id), title: "City", end: wall(7_200), waves: waves, checkpoints: checkpoints,
            participants: bibs.map {
                Participant(bib: Self.bib($0), wave: WaveID(sample: $0 == 2 ? "1" : "0"), tags: [])
            })
    }

    /// - Parameter rule: nil for none that is written; then the last time ends the run.
    func timer(_ rule: Checkpoint.Rule?, distances: [Double]? = nil, split: Int = 0) throws -> CheckpointTimer {
        let checkpoint = try #require(
            Checkpoint(
                id: CheckpointID(sample: "x"), distances: distances ?? [rule == .last ? 0 : 1_000],
                isFinish: rule == nil, rule: rule, minimumSplit: .seconds(split)))
        return CheckpointTimer(try run(checkpoint), at: checkpoint, gateway: Self.box)
    }

    /// - Parameter since: when it was first heard; 5 s before it was nearest, where nothing is said.
    func passage(
        at seconds: Double, since: Double? = nil, tag: UInt32 = 1, bound: Double = 1, strongest: Int8 = -60,
        flags: Set<Passage.Flag> = []
    ) -> Passage {
        Passage(
            tag: TagNumber(tag), nearest: instant(seconds), bound: .milliseconds(Int64(bound * 1_000)),
            first: instant(since ?? seconds - 5), last: instant(seconds + 5), hits: 60, strongest: strongest,
            flags: flags)
    }

    /// - Parameter step: seconds that the wall clock is off by.
    func dating(step: Double = 0, clock: ClockState? = nil) -> CheckpointTimer.Dating {
        { instant in
            let seconds = Double(self.instant(0).duration(to: instant).wholeNanoseconds) / 1e9
            return (wall(seconds + step), clock ?? Self.good)
        }
    }

    func take(
        _ timer: inout CheckpointTimer, at seconds: Double, since: Double? = nil, tag: UInt32 = 1, bib: Int = 1,
        bound: Double = 1, strongest: Int8 = -60,
        flags: Set<Passage.Flag> = [], marks: Set<Passing.Flag> = [], step: Double = 0, clock: ClockState? = nil
    ) -> Passing? {
        timer.take(
            passage(at: seconds, since: since, tag: tag, bound: bound, strongest: strongest, flags: flags),
            of: Self.bib(bib),
            marks: marks,
            dating: dating(step: step, clock: clock), makeID: { _ in id(UInt64(abs(seconds))) })
    }

    func play(
        _ rule: Checkpoint.Rule?, _ times: [Double], bounds: [Double] = [], bib: Int = 1,
        distances: [Double]? = nil,
        split: Int = 0
    ) throws -> [Passing] {
        var timer = try timer(rule, distances: distances, split: split)
        return times.indices.compactMap {
            take(&timer, at: times[$0], bib: bib, bound: bounds.isEmpty ? 1 : bounds[$0])
        }
    }
}
