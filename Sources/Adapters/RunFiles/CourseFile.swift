import Markup
public import RunBeacon
public import SettingsReading

/// The course of a run, out of a GPX file.
public struct CourseFile: Sendable {
    public let course: Course
    /// Doubtful values, by line. They are used nevertheless.
    public let warnings: [SettingsProblem]

    /// Reader of the courses that run files name: GPX files beside them.
    public static let reader: CourseReader = { path in
        let file = try CourseFile(path: path)
        return (file.course, file.warnings)
    }

    /// A day's track of a watch that records each second, with heart rate and all, takes 25 MB.
    private static let kind = SettingsFile.Kind(
        sizeLimit: 32 << 20,
        whenTooLarge: "is larger than 32 MiB: a course needs a point every few metres only",
        whenAbsent: "check the path", group: "homegateway")

    /// Blocking I/O; a file as large as they may be takes a second.
    ///
    /// - Throws: `unreadable`, or `problems` with the first that makes it no course, and its line.
    public init(path: String) throws(SettingsError) {
        try self.init(bytes: try SettingsFile.bytes(path: path, of: Self.kind), path: path)
    }

    /// - Parameter path: named in the problems.
    public init(bytes: [UInt8], path: String) throws(SettingsError) {
        func problem(_ message: String, line: Int?) -> SettingsProblem {
            SettingsProblem(file: path, line: line ?? 1, column: nil, key: "", message: message)
        }
        let document = GPXDocument()
        do {
            try MarkupReader.read(bytes, with: document)
            let survey = try CourseSurvey(try document.points())
            course = survey.course
            warnings =
                document.remarks.map { problem($0, line: nil) }
                + survey.warnings.map { problem($0.description, line: $0.line) }
        } catch let error as MarkupError {
            throw .problems([problem("saw \(error)", line: error.line)])
        } catch let flaw as CourseSurvey.Flaw {
            throw .problems([problem(flaw.description, line: flaw.line)])
        } catch let mistake as GPXDocument.Mistake {
            throw .problems([problem(mistake.message, line: mistake.line)])
        } catch {
            throw .problems([problem("\(error)", line: nil)])
        }
    }
}

/// The points of the tracks, or of the routes, of a GPX 1.1 document (topografix.com/GPX/1/1), as far as they say where:
/// `trk/trkseg/trkpt` and `rte/rtept` with their attributes `lat` and `lon`.
///
/// All else is skipped. GPX 1.0 has the same names.
final class GPXDocument: MarkupHandler {
    struct Mistake: Error {
        let message: String
        let line: Int?
    }

    /// Ten times a marathon recorded each second.
    static let mostPoints = 200_000

    private enum Kind {
        case track, route
    }

    private var depth = 0
    private var tracks: [[CourseSurvey.Waypoint]] = []
    private var routes: [[CourseSurvey.Waypoint]] = []
    private var inside: Kind?
    private var count = 0

    /// One after the other, from the first to the last: of tracks where there are any, else of routes.
    func points() throws -> [CourseSurvey.Waypoint] {
        let lines = tracks.contains { !$0.isEmpty } ? tracks : routes
        guard lines.contains(where: { !$0.isEmpty }) else {
            throw Mistake(
                message:
                    "saw no point of a track or a route, expected <trkpt> or <rtept>: export the course as a track",
                line: nil)
        }
        return lines.flatMap { $0 }
    }

    /// Doubtful values.
    var remarks: [String] {
        let drawn = tracks.count { !$0.isEmpty }
        let planned = routes.count { !$0.isEmpty }
        var remarks: [String] = []
        if drawn > 1 { remarks.append("\(drawn) tracks: taken as one line, in the order in which they stand") }
        if drawn == 0, planned > 1 {
            remarks.append("\(planned) routes: taken as one line, in the order in which they stand")
        }
        if drawn > 0, planned > 0 { remarks.append("tracks and routes: the tracks count, the routes do not") }
        return remarks
    }

    func start(_ name: String, attributes: [String: String], line: Int) throws {
        depth += 1
        switch (depth, name, inside) {
        case (1, "gpx", _): break
        case (1, _, _):
            throw Mistake(
                message: "saw <\(name.prefix(24))>, expected <gpx>: export the course as GPX", line: line)
        case (2, "trk", _):
            inside = .track
            tracks.append([])
        case (2, "rte", _):
            inside = .route
            routes.append([])
        case (4, "trkpt", .track): tracks[tracks.count - 1].append(try point(attributes, line))
        case (3, "rtept", .route): routes[routes.count - 1].append(try point(attributes, line))
        default: break
        }
    }

    func end(_ name: String, line: Int) {
        if depth == 2 { inside = nil }
        depth -= 1
    }

    func text(_ bytes: UnsafeRawBufferPointer) {}

    private func point(_ attributes: [String: String], _ line: Int) throws -> CourseSurvey.Waypoint {
        count += 1
        guard count <= Self.mostPoints else {
            throw Mistake(
                message: "saw more than \(Self.mostPoints) points: a course needs one every few metres only",
                line: line)
        }
        return CourseSurvey.Waypoint(
            latitude: try degrees("lat", attributes, line), longitude: try degrees("lon", attributes, line),
            line: line)
    }

    private func degrees(_ name: String, _ attributes: [String: String], _ line: Int) throws -> Double {
        guard let text = attributes[name] else {
            throw Mistake(
                message: "saw a point without \(name), expected degrees, as in \(name)=\"48.2\"", line: line)
        }
        // Swift reads `nan` and hexadecimal figures too.
        let isPlain = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
        guard isPlain, let value = Double(text), value.isFinite else {
            throw Mistake(
                message:
                    "saw \(name)=\"\(text.prefix(24))\", expected degrees with a point, as in \(name)=\"48.2\"",
                line: line)
        }
        return value
    }
}
