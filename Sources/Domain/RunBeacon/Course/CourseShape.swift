import GatewayModel

/// Line of a course for a drawing: few points on a plane, north up.
public struct CourseShape: Hashable, Sendable {
    /// Place in whole metres: east of the western edge, south of the northern edge.
    public struct Point: Hashable, Sendable {
        public let x, y: Int

        public init(x: Int, y: Int) { (self.x, self.y) = (x, y) }
    }

    /// Maximum number of points of the line. A drawing of 1,000 units shows no more.
    public static let mostPoints = 300
    /// Points that are compared at first: an evenly spaced part of a course of up to 200,000 points.
    private static let mostSamples = 4_000

    public let points: [Point]
    /// Metres.
    public let width, height: Int
    private let course: Course
    private let plane: LocalPlane
    private let west, north: Double

    /// Some milliseconds for a long course: made once for each course.
    public init(_ course: Course) {
        self.course = course
        let middle = course.points[course.points.count / 2]
        let plane = LocalPlane(at: middle)
        self.plane = plane
        let samples: [Coordinates] =
            course.points.count <= Self.mostSamples
            ? course.points
            : (0..<Self.mostSamples).map {
                course.place(at: course.length * Double($0) / Double(Self.mostSamples - 1))
            }
        let places = samples.map { plane.place(of: $0) }
        west = places.map(\.x).min() ?? 0
        north = places.map(\.y).max() ?? 0
        width = Int(((places.map(\.x).max() ?? 0) - west).rounded(.up))
        height = Int((north - (places.map(\.y).min() ?? 0)).rounded(.up))
        let (west, north) = (west, north)
        points = Self.simplified(places).map { Self.point($0, west, north) }
    }

    /// Place on the line after so many metres; the ends outside of the course.
    public func place(at distance: Double) -> Point {
        Self.point(plane.place(of: course.place(at: distance)), west, north)
    }

    private static func point(_ place: (x: Double, y: Double), _ west: Double, _ north: Double) -> Point {
        Point(x: Int((place.x - west).rounded()), y: Int((north - place.y).rounded()))
    }

    /// Keeps the points that are farther than a tolerance from the line without them (Douglas-Peucker). The tolerance
    /// begins at 1 m and doubles until few enough points are left.
    private static func simplified(_ places: [(x: Double, y: Double)]) -> [(x: Double, y: Double)] {
        var tolerance = 1.0
        var kept = reduced(places, within: tolerance)
        while kept.count > mostPoints {
            tolerance *= 2
            kept = reduced(places, within: tolerance)
        }
        return kept
    }

    private static func reduced(
        _ places: [(x: Double, y: Double)], within tolerance: Double
    ) -> [(x: Double, y: Double)] {
        var isKept = Array(repeating: false, count: places.count)
        (isKept[0], isKept[places.count - 1]) = (true, true)
        var spans = [0...(places.count - 1)]
        while let span = spans.popLast() {
            var farthest = (index: 0, square: tolerance * tolerance)
            for index in span.dropFirst().dropLast() {
                let square = squareDistance(places[index], places[span.lowerBound], places[span.upperBound])
                if square > farthest.square { farthest = (index, square) }
            }
            guard farthest.index > 0 else { continue }
            isKept[farthest.index] = true
            spans += [span.lowerBound...farthest.index, farthest.index...span.upperBound]
        }
        return zip(places, isKept).filter(\.1).map(\.0)
    }

    /// Square of the distance from a place to the stretch between two others.
    private static func squareDistance(
        _ place: (x: Double, y: Double), _ from: (x: Double, y: Double), _ to: (x: Double, y: Double)
    ) -> Double {
        let (x, y) = (to.x - from.x, to.y - from.y)
        let square = x * x + y * y
        let along = square > 0 ? ((place.x - from.x) * x + (place.y - from.y) * y) / square : 0
        let share = max(0, min(1, along))
        let (east, north) = (from.x + share * x - place.x, from.y + share * y - place.y)
        return east * east + north * north
    }
}
