import GatewayModel

/// A line as somebody has drawn or recorded it, looked at before anybody runs on it.
public struct CourseSurvey: Hashable, Sendable {
    /// A point as it stands in a file.
    public struct Waypoint: Hashable, Sendable {
        /// Degrees.
        public let latitude, longitude: Double
        /// Of the file, from 1.
        public let line: Int

        public init(latitude: Double, longitude: Double, line: Int) {
            (self.latitude, self.longitude, self.line) = (latitude, longitude, line)
        }
    }

    /// Fault that makes it no course.
    public enum Flaw: Error, Hashable, Sendable {
        /// None, one, or several of one place.
        case tooFewPoints(Int)
        case outside(Waypoint)
        /// Between two points lies more than anybody runs without a point.
        case leap(from: Waypoint, to: Waypoint, metres: Int)
        case tooLong(metres: Int)

        /// Where in the file; nil where it is about all of it.
        public var line: Int? {
            switch self {
            case .tooFewPoints, .tooLong: nil
            case .outside(let point), .leap(_, let point, _): point.line
            }
        }
    }

    /// Doubtful values. They are used as written.
    public enum Warning: Hashable, Sendable {
        /// A point far from both its neighbours, which are close to each other: left out.
        case stray(Waypoint, metres: Int)
        /// Far from the one before: taken as a straight line.
        case jump(from: Waypoint, to: Waypoint, metres: Int)

        public var line: Int {
            switch self {
            case .stray(let point, _), .jump(_, let point, _): point.line
            }
        }
    }

    public let course: Course
    /// The first of them, not all of a long list.
    public let warnings: [Warning]
    /// The first point that was left out; nil where none was.
    public let firstStray: Warning?

    /// Metres. Points of a course are drawn or recorded every few metres, on a straight road some hundreds.
    static let jump = 1_000.0
    /// Metres between two points of a track that was recorded.
    private static let dense = 200.0
    /// Metres: across a bay or a mountain, no runner.
    static let leap = 50_000.0
    /// Metres: longer than any race is in a day and a night.
    static let longest = 400_000.0
    /// Of a long list the first are enough to see the fault.
    private static let mostWarnings = 20

    /// - Parameter points: from the start to the finish.
    public init(_ points: [Waypoint]) throws(Flaw) {
        var places: [Coordinates] = []
        places.reserveCapacity(points.count)
        for point in points {
            guard let place = Coordinates(latitude: point.latitude, longitude: point.longitude) else {
                throw .outside(point)
            }
            places.append(place)
        }
        let (kept, warnings) = try Self.look(points, places)
        guard let course = Course(kept) else { throw .tooFewPoints(kept.count) }
        guard course.length <= Self.longest else { throw .tooLong(metres: Int(course.length)) }
        self.course = course
        self.warnings = Array(warnings.prefix(Self.mostWarnings))
        firstStray = warnings.first { if case .stray = $0 { true } else { false } }
    }

    private static func look(
        _ points: [Waypoint], _ places: [Coordinates]
    ) throws(Flaw) -> ([Coordinates], [Warning]) {
        var kept: [Coordinates] = []
        var warnings: [Warning] = []
        var last: Int?
        for index in places.indices {
            guard let before = last else {
                (kept, last) = ([places[index]], index)
                continue
            }
            let metres = LocalPlane.metres(places[before], places[index])
            if metres > jump {
                if isStray(index, after: before, places) {
                    warnings.append(.stray(points[index], metres: Int(metres)))
                    continue
                }
                guard metres <= leap else {
                    throw .leap(from: points[before], to: points[index], metres: Int(metres))
                }
                warnings.append(.jump(from: points[before], to: points[index], metres: Int(metres)))
            }
            kept.append(places[index])
            last = index
        }
        return (kept, warnings)
    }

    /// Only where the points around it are close together: on a route of a few corners the far one is the turn.
    private static func isStray(_ index: Int, after before: Int, _ places: [Coordinates]) -> Bool {
        guard before > 0, index + 2 < places.count else { return false }
        let next = places[index + 1]
        return LocalPlane.metres(places[before - 1], places[before]) <= dense
            && LocalPlane.metres(next, places[index + 2]) <= dense
            && LocalPlane.metres(places[index], next) > jump && LocalPlane.metres(places[before], next) <= jump
    }
}

extension CourseSurvey.Flaw: CustomStringConvertible {
    public var description: String {
        switch self {
        case .tooFewPoints(let count):
            "saw \(count == 1 ? "one point" : count == 0 ? "no point" : "\(count) points of the same place"), expected "
                + "two places at least: a course is a line from the start to the finish"
        case .outside(let point):
            abs(point.latitude) > 90 && abs(point.longitude) <= 90
                ? "saw latitude \(point.latitude), expected -90 to 90: are lat and lon swapped?"
                : "saw latitude \(point.latitude) and longitude \(point.longitude), expected -90 to 90 and -180 to "
                    + "180 degrees"
        case .leap(let from, let to, let metres):
            "saw \(metres / 1_000) km from the point of line \(from.line) to that of line \(to.line), expected 50 km at "
                + "most: remove the wrong one"
        case .tooLong(let metres):
            "saw a course of \(metres / 1_000) km, expected 400 km at most: is it all of one run?"
        }
    }
}

extension CourseSurvey.Warning: CustomStringConvertible {
    public var description: String {
        switch self {
        case .stray(_, let metres):
            "the point lies \(metres) m from its neighbours, which are close to each other: left out"
        case .jump(let from, _, let metres):
            "\(metres) m from the point of line \(from.line), with no point between: taken as a straight line"
        }
    }
}
