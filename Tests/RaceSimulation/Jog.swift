public import GatewayModel
import RealModule
public import RunBeacon
import SeededRandom

/// One runner along a course, and the reports of a receiver on their wrist: by a seed, with the truth.
public struct Jog: Sendable {
    /// Course of the speed.
    public enum Style: String, CaseIterable, Sendable {
        case steady, hills
        /// A quarter slower at the end.
        case tiring
        /// Four minutes of running, and one of walking.
        case walkBreaks = "walk breaks"
        /// Half a minute of standing every ten minutes.
        case stops
    }

    public struct Sample: Sendable {
        /// Metres along the course.
        public let distance: Double
        public let report: PositionReport
    }

    public let course: Course
    /// The received positions, in the order of their arrival.
    public let samples: [Sample]
    private let way: [(seconds: Double, distance: Double)]

    /// The start of the wave.
    public static let start = Moment(
        boot: BootInstant(nanoseconds: 3_600_000_000_000),
        wall: WallTime(millisecondsSince1970: 1_790_000_000_000))

    /// - Parameters:
    ///   - speed: m/s, on average.
    ///   - interval: seconds between two positions.
    ///   - accuracy: metres, as the receiver states it: ± 95 %.
    ///   - gaps: share of the time without positions, in pieces of a minute and a half.
    public init(
        _ course: Course, _ style: Style, speed: Double, interval: Double = 2, accuracy: Double = 10,
        gaps: Double = 0.05, seed: UInt64
    ) {
        var random = SeededGenerator(seed: seed)
        self.course = course
        way = Self.way(course.length, style, speed, &random)
        samples = Self.samples(
            course, way, interval: interval, accuracy: accuracy, gaps: gaps, &random)
    }

    /// Returns the true instant at which the runner first reached a distance.
    public func time(at distance: Double) -> Moment? {
        guard let index = way.firstIndex(where: { $0.distance >= distance }), index > 0 else { return nil }
        let (before, after) = (way[index - 1], way[index])
        let share = (distance - before.distance) / max(1e-9, after.distance - before.distance)
        return Self.moment(before.seconds + share * (after.seconds - before.seconds))
    }

    static func moment(_ seconds: Double) -> Moment {
        start.advanced(by: .nanoseconds(Int64(seconds * 1e9)))
    }

    /// The distance at every second, until the end of the course.
    private static func way(
        _ length: Double, _ style: Style, _ speed: Double, _ random: inout SeededGenerator
    ) -> [(seconds: Double, distance: Double)] {
        var (seconds, distance, wobble) = (0.0, 0.0, 0.0)
        var way = [(seconds, distance)]
        while distance < length {
            // Gauss-Markov process, 4 % over half a minute.
            wobble = wobble * 0.967 + random.normal(0, 0.04 * (1 - 0.967 * 0.967).squareRoot())
            distance = min(
                length, distance + max(0, speed * (factor(style, seconds, distance / length) + wobble)))
            seconds += 1
            way.append((seconds, distance))
        }
        // After the finish a runner stands a while, gets a medal and a drink.
        for _ in 0..<120 {
            seconds += 1
            way.append((seconds, length))
        }
        return way
    }

    private static func factor(_ style: Style, _ seconds: Double, _ share: Double) -> Double {
        switch style {
        case .steady: 1
        case .hills: 1 + 0.15 * Double.sin(seconds / 90)
        case .tiring: 1.1 - 0.25 * share
        case .walkBreaks: seconds.truncatingRemainder(dividingBy: 300) < 240 ? 1.1 : 0.6
        case .stops: seconds.truncatingRemainder(dividingBy: 600) < 570 ? 1.05 : 0
        }
    }

    private static func samples(
        _ course: Course, _ way: [(seconds: Double, distance: Double)], interval: Double, accuracy: Double,
        gaps: Double, _ random: inout SeededGenerator
    ) -> [Sample] {
        var (east, north, gapEnds) = (0.0, 0.0, 0.0)
        let deviation = accuracy / 1.96 / 2.0.squareRoot()
        var samples: [Sample] = []
        var next = 0.0
        for (seconds, distance) in way {
            // The errors of the ionosphere and of the houses are correlated for half a minute.
            east = east * 0.967 + random.normal(0, deviation * (1 - 0.967 * 0.967).squareRoot())
            north = north * 0.967 + random.normal(0, deviation * (1 - 0.967 * 0.967).squareRoot())
            if Double.random(in: 0..<1, using: &random) < gaps / 90 { gapEnds = seconds + 90 }
            guard seconds >= next, seconds >= gapEnds else { continue }
            next = seconds + interval
            let place = course.place(at: distance)
            let metres = (east + random.normal(0, 1), north + random.normal(0, 1))
            guard
                let coordinates = Coordinates(
                    latitude: place.latitude + metres.1 / 111_200,
                    longitude: place.longitude + metres.0 / (111_320 * Double.cos(place.latitude * .pi / 180)))
            else { continue }
            samples.append(
                Sample(
                    distance: distance,
                    report: PositionReport(
                        coordinates: coordinates, accuracy: accuracy, arrival: moment(seconds))))
        }
        return samples
    }
}
