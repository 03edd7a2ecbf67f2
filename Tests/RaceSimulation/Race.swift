public import GatewayModel
import RealModule
public import RunBeacon
import SeededRandom

/// One simulated scenario: the advertisements that the box hears, and the true passings.
public struct Race: Sendable {
    public struct Truth: Hashable, Sendable {
        public let tag: TagNumber
        public let nearest: BootInstant
        /// The true signal curve of its first antenna, which no box knows.
        public let curve: Curve

        public init(tag: TagNumber, nearest: BootInstant, curve: Curve) {
            (self.tag, self.nearest, self.curve) = (tag, nearest, curve)
        }
    }

    /// The signal of a passage without noise.
    public struct Curve: Hashable, Sendable {
        /// m/s.
        public let speed: Double
        /// Width of the curve in seconds: metres at the nearest point, divided by the speed.
        public let width: Double
        let nearest, exponent: Double
        /// dB that the body removes after the passage, and adds before it.
        public let shadow: Double

        /// Returns the level in dBm, `u` widths after the nearest point.
        public func level(at u: Double) -> Double {
            nearest - 5 * exponent * Double.log10(1 + u * u) - shadow * u / (1 + u * u).squareRoot()
        }
    }

    public let scenario: Scenario
    /// Hits in the order of arrival.
    public let hits: [TagHit]
    /// Truths in the order of the tags. Bystanders have none.
    public let truths: [Truth]

    public init(_ scenario: Scenario) {
        var random = SeededGenerator(seed: scenario.seed)
        let runners = Self.runners(scenario, &random)
        let density = Density(
            runners, interval: scenario.interval,
            bystanders: scenario.bystanders + (scenario.crowd == nil ? 0 : runners.count))
        var hits: [TagHit] = []
        var truths: [Truth] = []
        for (index, runner) in runners.enumerated() {
            let tag = TagNumber(UInt32(index))
            for antenna in 0..<UInt8(scenario.road == nil ? 1 : 2) {
                let air = Air(scenario, &random)
                for lap in 0..<scenario.laps {
                    let runner = runner.later(by: Double(lap) * scenario.lap / runner.speed)
                    let seen = antenna == 0 ? runner : runner.seen(across: scenario.road ?? 0)
                    hits += air.hits(of: seen, tag: tag, antenna: antenna, density, &random)
                    if antenna == 0 {
                        truths.append(
                            Truth(tag: tag, nearest: Self.instant(runner.nearest), curve: air.curve(of: runner))
                        )
                    }
                }
            }
        }
        let end = (runners.map(\.nearest).max() ?? 0) + 30
        for index in 0..<scenario.bystanders {
            let tag = TagNumber(UInt32(runners.count + index))
            let place = Double.random(in: 2...15, using: &random)
            hits += Air(scenario, &random).hits(ofBystanderAt: place, tag: tag, until: end, density, &random)
        }
        self.scenario = scenario
        self.hits = hits.sorted { ($0.arrival, $0.tag) < ($1.arrival, $1.tag) }
        self.truths = truths
    }

    /// Returns the instant of a second of the race, which begins an hour after the boot.
    static func instant(_ seconds: Double) -> BootInstant {
        BootInstant(nanoseconds: hour + Int64(seconds * 1e9))
    }

    /// Inverse of `instant`.
    static func seconds(_ instant: BootInstant) -> Double {
        Double(BootInstant(nanoseconds: hour).duration(to: instant).wholeNanoseconds) / 1e9
    }

    private static let hour: Int64 = 3_600_000_000_000

    private static func runners(_ scenario: Scenario, _ random: inout SeededGenerator) -> [Runner] {
        if let crowd = scenario.crowd {
            return (0..<scenario.runners).map { _ in Runner(scenario, crowd, &random) }
        }
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
    /// Metres at the nearest point.
    let distance: Double
    /// Metres behind the nearest point, where a standing runner waits until they set off; nil for a running start.
    var stand: Double?

    fileprivate func later(by seconds: Double) -> Runner {
        Runner(nearest: nearest + seconds, speed: speed, distance: distance, stand: stand)
    }

    /// Returns the runner as an antenna on the other side of a road of this width receives them.
    fileprivate func seen(across road: Double) -> Runner {
        Runner(nearest: nearest, speed: speed, distance: max(0.3, road - distance), stand: stand)
    }

    /// Metres from the nearest point.
    fileprivate func along(at time: Double) -> Double {
        let along = (time - nearest) * speed
        return stand.map { max(along, -$0) } ?? along
    }
}

extension Runner {
    /// A runner of a crowd at a start. The line is the nearest point, and the runners at the front go first.
    fileprivate init(_ scenario: Scenario, _ crowd: ClosedRange<Double>, _ random: inout SeededGenerator) {
        let behind = Double.random(in: crowd, using: &random)
        let pace = Double.random(in: scenario.speed, using: &random)
        // A crowd starts from the front, by some 2 m a second.
        let start = Scenario.gun + behind / 2 + Double.random(in: 0...1, using: &random)
        self.init(
            nearest: start + behind / pace, speed: pace,
            distance: .random(in: scenario.distance, using: &random),
            stand: behind)
    }
}

/// Number of tags that transmit near the box at a time.
struct Density {
    private let instants: [Double]
    private let interval: Double
    private let bystanders: Int
    /// Seconds around the nearest point in which a tag is received, and disturbs others.
    private static let reach = 10.0

    init(_ runners: [Runner], interval: Double, bystanders: Int) {
        instants = runners.map(\.nearest).sorted()
        (self.interval, self.bystanders) = (interval, bystanders)
    }

    /// Returns whether an advertisement at `time` is lost to a collision: pure ALOHA on the one channel that the box
    /// listens to, with packets of 376 µs (47 octets at 1 Mbit/s). The stronger packet survives half of the collisions.
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

/// The radio channel from one tag to the box.
struct Air {
    private let scenario: Scenario
    private let power, exponent, shadow: Double
    /// Metres: a standing runner moves about a little between two advertisements.
    private static let fidgeting = 0.05
    /// A tag worn in front is shadowed after the passage, one worn behind before it.
    private let isInFront: Bool

    init(_ scenario: Scenario, _ random: inout SeededGenerator) {
        self.scenario = scenario
        power = random.normal(scenario.power.mean, scenario.power.deviation)
        exponent = .random(in: scenario.exponent, using: &random)
        shadow = .random(in: scenario.shadow, using: &random)
        isInFront = Bool.random(using: &random)
    }

    func curve(of runner: Runner) -> Race.Curve {
        let half = (isInFront ? 1 : -1) * shadow / 2
        return Race.Curve(
            speed: runner.speed, width: runner.distance / runner.speed,
            nearest: power - 10 * exponent * Double.log10(runner.distance) - shadow / 2, exponent: exponent,
            shadow: half)
    }

    func hits(
        of runner: Runner, tag: TagNumber, antenna: UInt8 = 0, _ density: Density,
        _ random: inout SeededGenerator
    ) -> [TagHit] {
        let half = 80 / runner.speed
        var clutter = random.normal(0, scenario.clutter.deviation)
        var place = -80.0
        let start = runner.stand == nil ? runner.nearest - half : 0
        return times(from: start, to: runner.nearest + half, &random).compactMap { time in
            let along = runner.along(at: time)
            clutter = next(clutter, after: max(along - place, Self.fidgeting), &random)
            place = along
            let distance = (along * along + runner.distance * runner.distance).squareRoot()
            let behind = (1 + (isInFront ? 1 : -1) * along / distance) / 2
            return heard(tag, antenna, time, distance, -shadow * behind + clutter, density, &random)
        }
    }

    func hits(
        ofBystanderAt distance: Double, tag: TagNumber, until end: Double, _ density: Density,
        _ random: inout SeededGenerator
    ) -> [TagHit] {
        var clutter = random.normal(0, scenario.clutter.deviation)
        return times(from: 0, to: end, &random).compactMap { time in
            clutter = next(clutter, after: Self.fidgeting, &random)
            return heard(tag, 0, time, distance, clutter, density, &random)
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

    /// Gauss-Markov process, correlated over `metres`.
    private func next(_ clutter: Double, after metres: Double, _ random: inout SeededGenerator) -> Double {
        let likeness = Double.exp(-metres / scenario.clutter.metres)
        return likeness * clutter
            + random.normal(0, scenario.clutter.deviation * (1 - likeness * likeness).squareRoot())
    }

    private func heard(
        _ tag: TagNumber, _ antenna: UInt8, _ time: Double, _ distance: Double, _ extra: Double,
        _ density: Density,
        _ random: inout SeededGenerator
    ) -> TagHit? {
        let level =
            power - 10 * exponent * Double.log10(max(distance, 0.3)) + extra + fading(&random)
        let isStrong = level + random.normal(0, 1) > scenario.floor + 1
        let isLost =
            Double.random(in: 0..<1, using: &random) < scenario.deaf
            || Double.random(in: 0..<1, using: &random) < density.loss(at: time)
        guard isStrong, !isLost else { return nil }
        return TagHit(
            tag: tag, antenna: antenna, rssi: Int8(max(-127, min(20, level.rounded()))),
            arrival: Race.instant(time))
    }

    /// Rician fading in dB, independent for each hit: between two hits a runner covers more than half a wavelength (6
    /// cm), and each hit is on another channel.
    private func fading(_ random: inout SeededGenerator) -> Double {
        let ratio = Double.pow(10, scenario.rician / 10)
        let scatter = (1 / (2 * (ratio + 1))).squareRoot()
        let real = (ratio / (ratio + 1)).squareRoot() + random.normal(0, scatter)
        let imaginary = random.normal(0, scatter)
        return 10 * Double.log10(max(1e-6, real * real + imaginary * imaginary))
    }
}
