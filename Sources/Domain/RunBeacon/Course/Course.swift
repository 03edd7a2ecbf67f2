public import GatewayModel
import RealModule

/// A line over the ground, from the start to the finish.
public struct Course: Hashable, Sendable {
    /// Two at least, no two of the same place in a row.
    public let points: [Coordinates]
    /// Metres from the start along the course, one for each of `points`.
    public let distances: [Double]

    /// Nil for fewer than two places: that is no line.
    public init?(_ points: [Coordinates]) {
        var line: [Coordinates] = []
        var distances: [Double] = []
        for point in points {
            guard let last = line.last, let distance = distances.last else {
                (line, distances) = ([point], [0])
                continue
            }
            let leg = LocalPlane.metres(last, point)
            guard leg > 0 else { continue }
            line.append(point)
            distances.append(distance + leg)
        }
        guard line.count >= 2 else { return nil }
        (self.points, self.distances) = (line, distances)
    }

    /// Metres. Never zero.
    public var length: Double { distances[distances.count - 1] }

    /// Where one is after so many metres; before the start and after the finish, there.
    public func place(at distance: Double) -> Coordinates {
        let leg = leg(at: distance)
        let (from, to) = (points[leg], points[leg + 1])
        let share = max(0, min(1, (distance - distances[leg]) / (distances[leg + 1] - distances[leg])))
        var degrees = to.longitude - from.longitude
        if degrees > 180 { degrees -= 360 } else if degrees < -180 { degrees += 360 }
        var longitude = from.longitude + share * degrees
        if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
        return Coordinates(
            latitude: from.latitude + share * (to.latitude - from.latitude), longitude: longitude) ?? from
    }

    /// The number of the leg that holds `distance`: from `points[leg]` to the next.
    private func leg(at distance: Double) -> Int {
        var (low, high) = (0, points.count - 2)
        while low < high {
            let middle = (low + high + 1) / 2
            if distances[middle] <= distance { low = middle } else { high = middle - 1 }
        }
        return low
    }
}

extension Course {
    /// Where a place stands on the course: the nearest point of it, of one stretch.
    struct Foot: Hashable {
        /// Metres from the start.
        let distance: Double
        /// Metres from the course.
        let offset: Double
    }

    /// The points of the course that are nearest to a place: each nearer than what is on either side of it. A loop
    /// or an out-and-back has several.
    ///
    /// - Parameters:
    ///   - range: metres along the course, between which they have to lie; nil for all of it.
    ///   - gate: metres that they may be away.
    ///   - separation: metres along the course; of two that are closer together the nearer one is given.
    /// - Returns: the nearest first, not more than `limit`.
    func feet(
        of place: Coordinates, in range: ClosedRange<Double>? = nil, within gate: Double,
        separation: Double = 15, limit: Int = 16
    ) -> [Foot] {
        var best: [Foot] = []
        for foot in minima(of: place, in: range ?? 0...length, within: gate).sorted(by: Self.isNearer) {
            guard best.count < limit else { break }
            if best.allSatisfy({ abs($0.distance - foot.distance) > separation }) { best.append(foot) }
        }
        return best
    }

    /// Metres from the nearest point of all the course.
    func offset(of place: Coordinates) -> Double {
        let plane = LocalPlane(at: place)
        return (0..<points.count - 1).reduce(.infinity) { min($0, foot(onLeg: $1, plane).offset) }
    }

    private static func isNearer(_ left: Foot, _ right: Foot) -> Bool {
        (left.offset, left.distance) < (right.offset, right.distance)
    }

    private func minima(
        of place: Coordinates, in range: ClosedRange<Double>, within gate: Double
    ) -> [Foot] {
        let plane = LocalPlane(at: place)
        // One leg more on either side, to see whether a foot is a minimum.
        let first = max(0, leg(at: range.lowerBound) - 1)
        let last = min(points.count - 2, leg(at: range.upperBound) + 1)
        var found: [Foot] = []
        var before: Foot?
        var current = foot(onLeg: first, plane)
        for leg in first...last {
            let after = leg < last ? foot(onLeg: leg + 1, plane) : nil
            if current.offset <= gate, range.contains(current.distance),
                current.offset <= before?.offset ?? .infinity, current.offset <= after?.offset ?? .infinity
            {
                found.append(current)
            }
            before = current
            if let after { current = after }
        }
        return found
    }

    private func foot(onLeg leg: Int, _ plane: LocalPlane) -> Foot {
        let (from, to) = (plane.place(of: points[leg]), plane.place(of: points[leg + 1]))
        let (x, y) = (to.x - from.x, to.y - from.y)
        let square = x * x + y * y
        let share = square > 0 ? max(0, min(1, -(from.x * x + from.y * y) / square)) : 0
        let (east, north) = (from.x + share * x, from.y + share * y)
        return Foot(
            distance: distances[leg] + share * (distances[leg + 1] - distances[leg]),
            offset: (east * east + north * north).squareRoot())
    }
}

/// The ground around a place, flat: metres to the east and to the north of it.
///
/// The radii of curvature of WGS 84 at its latitude, so that lengths are true to 1 in 10,000 within some 20 km. (One
/// figure for all latitudes, 110,540 m a degree, is right at the equator and 0.5 % short in the middle of Europe: 200 m
/// of a marathon.)
struct LocalPlane: Hashable {
    private static let equator = 6_378_137.0
    private static let eccentricitySquared = 0.006_694_379_990_14

    private let latitude, longitude: Double
    /// Metres a degree.
    private let toNorth, toEast: Double

    init(at origin: Coordinates) {
        self.init(latitude: origin.latitude, longitude: origin.longitude)
    }

    private init(latitude: Double, longitude: Double) {
        (self.latitude, self.longitude) = (latitude, longitude)
        let angle = latitude * .pi / 180
        let sine = Double.sin(angle)
        let share = 1 - Self.eccentricitySquared * sine * sine
        let normal = Self.equator / share.squareRoot()
        toNorth = normal * (1 - Self.eccentricitySquared) / share * .pi / 180
        toEast = normal * max(0, Double.cos(angle)) * .pi / 180
    }

    /// Across the date line too.
    func place(of point: Coordinates) -> (x: Double, y: Double) {
        var degrees = point.longitude - longitude
        if degrees > 180 { degrees -= 360 } else if degrees < -180 { degrees += 360 }
        return (degrees * toEast, (point.latitude - latitude) * toNorth)
    }

    /// Metres between two points, along the ground as it is half way between them.
    static func metres(_ one: Coordinates, _ other: Coordinates) -> Double {
        let plane = LocalPlane(
            latitude: (one.latitude + other.latitude) / 2, longitude: one.longitude)
        let (x, y) = plane.place(of: other)
        let north = y - plane.place(of: one).y
        return (x * x + north * north).squareRoot()
    }
}
