import GatewayModel
import RealModule
public import RunBeacon

/// Courses to run on, drawn by figures.
public enum DrawnCourse: String, CaseIterable, Sendable {
    /// 10 km of a road that winds.
    case road
    /// 5 km of it there, and the same way back.
    case outAndBack = "out and back"
    /// Four times round 2.5 km.
    case loops
    /// 25 times round a track of 400 m.
    case stadium
    /// Five times through an eight of 2 km, which crosses itself.
    case eight

    public var course: Course {
        guard let course = Course(points) else { preconditionFailure("a drawn course has points") }
        return course
    }

    private var points: [Coordinates] {
        switch self {
        case .road: Self.places(Self.winding(10_000))
        case .outAndBack:
            Self.places(Self.winding(5_000) + Self.winding(5_000).reversed().dropFirst())
        case .loops: Self.places(Self.ring(2_500, rounds: 4) { 1 + 0.3 * Double.sin(3 * $0) })
        case .stadium: Self.places(Self.stadium(rounds: 25))
        case .eight: Self.places(Self.eight(2_000, rounds: 5))
        }
    }

    /// Metres to the east and north of a place in Europe.
    private static func places(_ metres: [(x: Double, y: Double)]) -> [Coordinates] {
        metres.compactMap { Coordinates(latitude: 48.2 + $0.y / 111_200, longitude: 16.37 + $0.x / 74_300) }
    }

    private static func winding(_ length: Double) -> [(x: Double, y: Double)] {
        stride(from: 0, through: length, by: 20).map { way in
            (0.8 * way + 120 * Double.sin(way / 300), 150 * Double.sin(way / 450) + 40 * Double.cos(way / 130))
        }
    }

    private static func ring(
        _ length: Double, rounds: Int, _ shape: (Double) -> Double
    ) -> [(x: Double, y: Double)] {
        let radius = length / (2 * .pi)
        return (0...rounds * 120).map { step in
            let angle = Double(step) / 120 * 2 * .pi
            return (radius * shape(angle) * Double.cos(angle), radius * shape(angle) * Double.sin(angle))
        }
    }

    private static func eight(_ length: Double, rounds: Int) -> [(x: Double, y: Double)] {
        (0...rounds * 100).map { step in
            let angle = Double(step) / 100 * 2 * .pi
            return (length / 6 * Double.sin(angle), length / 6 * Double.sin(2 * angle) / 2)
        }
    }

    /// Two straights of 84.39 m and two half circles of 36.8 m.
    private static func stadium(rounds: Int) -> [(x: Double, y: Double)] {
        let (straight, radius) = (84.39, 36.8)
        let round = straight * 2 + 2 * .pi * radius
        return stride(from: 0, through: round * Double(rounds), by: 4).map { way in
            var rest = way.truncatingRemainder(dividingBy: round)
            if rest < straight { return (rest, -radius) }
            rest -= straight
            if rest < .pi * radius {
                let angle = rest / radius - .pi / 2
                return (straight + radius * Double.cos(angle), radius * Double.sin(angle))
            }
            rest -= .pi * radius
            if rest < straight { return (straight - rest, radius) }
            let angle = (rest - straight) / radius + .pi / 2
            return (radius * Double.cos(angle), radius * Double.sin(angle))
        }
    }
}
