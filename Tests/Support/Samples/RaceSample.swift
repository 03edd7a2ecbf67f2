public import GatewayModel
import ModelSamples
public import RunBeacon

/// A run and those who pass in it, for tests.
public enum RaceSample {
    public static let run = RunID(sample: "spring-10k")
    public static let finish = CheckpointID(sample: "finish")
    public static let box = GatewayID(sample: "house-12")

    public static func bib(_ number: Int) -> Bib { Bib(number) ?? Bib(Bib.range.lowerBound)! }

    /// - Parameters:
    ///   - seconds: after the beginning of `Sample`'s time.
    ///   - number: of its id.
    public static func passing(
        _ number: Int = 1, bib: Int = 117, order: Int? = 1, at seconds: Double = 0,
        run: RunID = RaceSample.run, checkpoint: CheckpointID = RaceSample.finish,
        box: GatewayID = RaceSample.box,
        clock: ClockState = ClockState(source: .gps, bound: .milliseconds(350)),
        bound: Duration? = .milliseconds(742), method: Passing.Method = .blePeak,
        flags: Set<Passing.Flag> = []
    ) -> Passing {
        Passing(
            id: Sample.id(number), run: run, checkpoint: checkpoint, gateway: box, bib: Self.bib(bib),
            order: order, time: Sample.moment(seconds).wall, first: Sample.moment(seconds - 6).wall,
            last: Sample.moment(seconds + 6).wall, clock: clock, bound: clock.bound == nil ? nil : bound,
            hits: 61, strongest: -58, method: method, flags: flags)
    }

    public static func position(
        at arrival: Double = 1.25, accuracy: Double? = nil, distance: Double? = nil, offset: Double? = nil,
        speed: Double? = nil, next: RunnerPosition.Prediction? = nil, flags: Set<RunnerPosition.Flag> = []
    ) -> RunnerPosition {
        RunnerPosition(
            coordinates: Coordinates(latitude: 48.208_174_3, longitude: 16.373_819_1)!, accuracy: accuracy,
            measured: Sample.moment(0), arrival: Sample.moment(arrival), distance: distance, offset: offset,
            speed: speed, next: next, flags: flags)
    }
}

extension RaceSample {
    public static func record(_ number: Int, bib: Int = 117, at seconds: Double = 0) -> RecordedPassing {
        RecordedPassing(
            passing(number, bib: bib, at: seconds), boot: "b-1", nearest: Sample.moment(seconds).boot,
            first: Sample.moment(seconds - 6).boot, last: Sample.moment(seconds + 6).boot,
            passageBound: .milliseconds(640))
    }
}
