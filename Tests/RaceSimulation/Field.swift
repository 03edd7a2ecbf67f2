import GatewayModel
import RunBeacon
import SeededRandom

/// A whole race past one box: every runner over the start line, round the course, and past the box again.
///
/// Times are seconds from the start of the play, distances metres along the course.
public struct Field: Sendable {
    public struct Plan: Sendable {
        /// The runners, their equipment and the radio channel. The arrival of the runners is set here instead.
        public var scenario: Scenario
        /// Times of the guns, ascending. Runners are assigned to them in turn.
        public var guns: [Double]
        /// Seconds from the gun to a runner's crossing of the start line.
        public var crossing: ClosedRange<Double>
        /// Distances at which the course passes the box, 0 first. At least 160 m apart: a tag is on the air 80 m before
        /// the box and 80 m behind it.
        public var distances: [Double]
        /// Number of runners that do not go on after the start.
        public var givenUp = 0
    }

    public struct Truth: Hashable, Sendable {
        /// Index of the runner, from 0.
        public let runner: Int
        /// Number of the passing at the box, from 1.
        public let order: Int
        public let nearest: Double
    }

    /// An advertisement that the box hears. Those that it does not hear are left out.
    public struct Heard: Hashable, Sendable {
        public let time: Double
        public let runner: Int
        /// dBm.
        public let rssi: Int8
    }

    public let plan: Plan
    /// The gun of each runner, as an index of `Plan.guns`.
    public let waves: [Int]
    /// Truths by runner, then by order.
    public let truths: [Truth]
    /// Advertisements in the order of time.
    public let heard: [Heard]

    public init(_ plan: Plan) {
        var random = SeededGenerator(seed: plan.scenario.seed)
        let scenario = plan.scenario
        var passes: [(truth: Truth, runner: Runner)] = []
        for index in 0..<scenario.runners {
            let speed = Double.random(in: scenario.speed, using: &random)
            let start =
                plan.guns[index % plan.guns.count] + Double.random(in: plan.crossing, using: &random)
            let hasGivenUp = index >= scenario.runners - plan.givenUp
            for (order, distance) in plan.distances.prefix(hasGivenUp ? 1 : .max).enumerated() {
                let nearest = start + distance / speed
                passes.append(
                    (
                        Truth(runner: index, order: order + 1, nearest: nearest),
                        Runner(
                            nearest: nearest, speed: speed,
                            distance: .random(in: scenario.distance, using: &random))
                    ))
            }
        }
        let density = Density(
            passes.map(\.runner), interval: scenario.interval, bystanders: scenario.bystanders)
        // The tag, its wearer and the conditions of the day stay the same from one passing to the next.
        let airs = (0..<scenario.runners).map { _ in Air(scenario, &random) }
        var heard: [Heard] = []
        for (truth, runner) in passes {
            let hits = airs[truth.runner].hits(
                of: runner, tag: TagNumber(UInt32(truth.runner)), density, &random)
            heard += hits.map {
                Heard(time: Race.seconds($0.arrival), runner: truth.runner, rssi: $0.rssi)
            }
        }
        self.plan = plan
        waves = (0..<scenario.runners).map { $0 % plan.guns.count }
        truths = passes.map(\.truth)
        self.heard = heard.filter { $0.time >= 0 }.sorted { ($0.time, $0.runner) < ($1.time, $1.runner) }
    }
}

extension Field.Plan {
    /// For a demonstration: 200 runners in four waves, once round, in less than three minutes.
    public static let demo = make("demo", runners: 200, guns: [0, 15, 30, 45])
    /// For a test through real HCI.
    public static let small = make("small", runners: 12, guns: [0, 10], givenUp: 1)

    public static let all = [demo, small]

    private static func make(_ name: String, runners: Int, guns: [Double], givenUp: Int = 0) -> Self {
        var scenario = Scenario(name)
        scenario.runners = runners
        return Self(
            scenario: scenario, guns: guns, crossing: 4...14, distances: [0, 200], givenUp: givenUp)
    }
}
