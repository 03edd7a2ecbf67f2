public import GatewayModel
import RealModule
public import RunBeacon

/// One scenario played: what the box hears, and what was true.
public struct Race: Sendable {
    public struct Truth: Hashable, Sendable {
        public let tag: TagNumber
        public let nearest: BootInstant
    }

    public let scenario: Scenario
    /// In the order of arrival.
    public let hits: [TagHit]
    /// In the order of the tags. Bystanders have none.
    public let truths: [Truth]

    public init(_ scenario: Scenario) {
        var random = SeededGenerator(seed: scenario.seed)
        let runners = Self.runners(scenario, &random)
        let density = Density(runners, interval: scenario.interval, bystanders: scenario.bystanders)
        var hits: [TagHit] = []
        for (index, runner) in runners.enumerated() {
            hits += Air(scenario, &random).hits(of: runner, tag: TagNumber(UInt32(index)), density, &random)
        }
        let end = (runners.map(\.nearest).max() ?? 0) + 30
        for index in 0..<scenario.bystanders {
            let tag = TagNumber(UInt32(runners.count + index))
            let place = Double.random(in: 2...15, using: &random)
            hits += Air(scenario, &random).hits(ofBystanderAt: place, tag: tag, until: end, density, &random)
        }
        self.scenario = scenario
        self.hits = hits.sorted { ($0.arrival, $0.tag) < ($1.arrival, $1.tag) }
        truths = runners.enumerated().map {
            Truth(tag: TagNumber(UInt32($0.offset)), nearest: Self.instant($0.element.nearest))
        }
    }

    /// From an hour after the boot on.
    static func instant(_ seconds: Double) -> BootInstant {
        BootInstant(nanoseconds: hour + Int64(seconds * 1e9))
    }

    /// Of `instant`.
    static func seconds(_ instant: BootInstant) -> Double {
        Double(BootInstant(nanoseconds: hour).duration(to: instant).wholeNanoseconds) / 1e9
    }

    private static let hour: Int64 = 3_600_000_000_000

    private static func runners(_ scenario: Scenario, _ random: inout SeededGenerator) -> [Runner] {
        var runners: [Runner] = []
        var time = 60.0
        while runners.count < scenario.runners {
            time += random.exponential(rate: scenario.rate / Double(scenario.pack))
            for _ in 0..<min(scenario.pack, scenario.runners - runners.count) {
                let within = scenario.pack > 1 ? Double.random(in: 0...scenario.packLength, using: &random) : 0
                runners.append(
                    Runner(
                        nearest: time + within, speed: .random(in: scenario.speed, using: &random),
                        distance: .random(in: scenario.distance, using: &random)))
            }
        }
        return runners
    }
}

struct Runner {
    /// Seconds.
    let nearest: Double
    /// m/s.
    let speed: Double
    /// Metres at the nearest.
    let distance: Double
}

/// How many tags are on the air near the box at a time.
struct Density {
    private let instants: [Double]
    private let interval: Double
    private let bystanders: Int
    /// Tags within so many seconds of their nearest are heard, and disturb.
    private static let reach = 10.0

    init(_ runners: [Runner], interval: Double, bystanders: Int) {
        instants = runners.map(\.nearest).sorted()
        (self.interval, self.bystanders) = (interval, bystanders)
    }

    /// Whether an advertisement at `time` is lost to another: pure ALOHA on the one channel that is listened to, with
    /// packets of 376 µs (47 octets at 1 Mbit/s), of which the stronger one survives half of the time.
    func loss(at time: Double) -> Double {
        let near = index(of: time + Self.reach) - index(of: time - Self.reach) + bystanders
        let load = Double(max(0, near - 1)) * 0.000_376 / (interval / 1_000)
        return 0.5 * (1 - Double.exp(-2 * load))
    }

    private func index(of time: Double) -> Int {
        var (low, high) = (0, instants.count)
        while low < high {
            let middle = (low + high) / 2
            if instants[middle] < time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// The way from one tag to the box.
struct Air {
    private let scenario: Scenario
    private let power, exponent, shadow: Double
    /// Worn in front it is hidden after the passage, worn behind before it.
    private let isInFront: Bool

    init(_ scenario: Scenario, _ random: inout SeededGenerator) {
        self.scenario = scenario
        power = random.normal(scenario.power.mean, scenario.power.deviation)
        exponent = .random(in: scenario.exponent, using: &random)
        shadow = .random(in: scenario.shadow, using: &random)
        isInFront = Bool.random(using: &random)
    }

    func hits(
        of runner: Runner, tag: TagNumber, _ density: Density, _ random: inout SeededGenerator
    ) -> [TagHit] {
        let half = 80 / runner.speed
        var clutter = random.normal(0, scenario.clutter.deviation)
        var place = -80.0
        return times(from: runner.nearest - half, to: runner.nearest + half, &random).compactMap { time in
            let along = (time - runner.nearest) * runner.speed
            clutter = next(clutter, after: along - place, &random)
            place = along
            let distance = (along * along + runner.distance * runner.distance).squareRoot()
            let behind = (1 + (isInFront ? 1 : -1) * along / distance) / 2
            return heard(tag, time, distance, -shadow * behind + clutter, density, &random)
        }
    }

    func hits(
        ofBystanderAt distance: Double, tag: TagNumber, until end: Double, _ density: Density,
        _ random: inout SeededGenerator
    ) -> [TagHit] {
        var clutter = random.normal(0, scenario.clutter.deviation)
        return times(from: 0, to: end, &random).compactMap { time in
            // They move about a little: some centimetres between two advertisements.
            clutter = next(clutter, after: 0.05, &random)
            return heard(tag, time, distance, clutter, density, &random)
        }
    }

    private func times(from start: Double, to end: Double, _ random: inout SeededGenerator) -> [Double] {
        var times: [Double] = []
        var time = start + Double.random(in: 0...scenario.interval, using: &random) / 1_000
        while time < end {
            times.append(time)
            time += (scenario.interval + Double.random(in: 0...10, using: &random)) / 1_000
        }
        return times
    }

    /// Gauss and Markov: alike over `metres`.
    private func next(_ clutter: Double, after metres: Double, _ random: inout SeededGenerator) -> Double {
        let likeness = Double.exp(-metres / scenario.clutter.metres)
        return likeness * clutter
            + random.normal(0, scenario.clutter.deviation * (1 - likeness * likeness).squareRoot())
    }

    private func heard(
        _ tag: TagNumber, _ time: Double, _ distance: Double, _ extra: Double, _ density: Density,
        _ random: inout SeededGenerator
    ) -> TagHit? {
        let level =
            power - 10 * exponent * Double.log10(max(distance, 0.3)) + extra + fading(&random)
        let isStrong = level + random.normal(0, 1) > scenario.floor + 1
        let isLost =
            Double.random(in: 0..<1, using: &random) < scenario.deaf
            || Double.random(in: 0..<1, using: &random) < density.loss(at: time)
        guard isStrong, !isLost else { return nil }
        return TagHit(tag: tag, rssi: Int8(max(-127, min(20, level.rounded()))), arrival: Race.instant(time))
    }

    /// Rician, dB, anew for each hit: between two of them a runner covers more than half a wave (6 cm), and each
    /// comes on another channel.
    private func fading(_ random: inout SeededGenerator) -> Double {
        let ratio = Double.pow(10, scenario.rician / 10)
        let scatter = (1 / (2 * (ratio + 1))).squareRoot()
        let real = (ratio / (ratio + 1)).squareRoot() + random.normal(0, scatter)
        let imaginary = random.normal(0, scatter)
        return 10 * Double.log10(max(1e-6, real * real + imaginary * imaginary))
    }
}
