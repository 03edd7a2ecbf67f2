import GatewayModel

/// A course as a command brings it: an encoded polyline of 5 decimals, which is 1.1 m of the ground, and the line that it
/// stands for. Format: developers.google.com/maps/documentation/utilities/polylinealgorithm.
public struct CourseLine: Hashable, Sendable {
    /// Fault that makes a text no course.
    public enum Flaw: Error, Hashable, Sendable {
        case tooLong(characters: Int)
        /// At this character, from 1.
        case malformed(at: Int)
        /// The number of the point, from 1: nobody sees a warning about it, so it is not left out as in a file.
        case stray(point: Int, metres: Int)
        case survey(CourseSurvey.Flaw)
    }

    /// Maximum characters: more do not fit into a command, which has 16 KiB with its signature.
    public static let mostCharacters = 12_288
    /// Bits of a difference of two coordinates: 360 degrees are 36,000,000 units and a sign.
    private static let mostBits = 30
    private static let unitsPerDegree = 100_000.0

    public let text: String
    public let course: Course

    public init(_ text: String) throws(Flaw) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.mostCharacters else { throw .tooLong(characters: bytes.count) }
        let points = try Self.points(bytes)
        let survey: CourseSurvey
        do throws(CourseSurvey.Flaw) {
            survey = try CourseSurvey(points)
        } catch {
            throw .survey(error)
        }
        if case .stray(let point, let metres)? = survey.firstStray {
            throw .stray(point: point.line, metres: metres)
        }
        (self.text, course) = (text, survey.course)
    }

    private static func points(_ bytes: [UInt8]) throws(Flaw) -> [CourseSurvey.Waypoint] {
        var points: [CourseSurvey.Waypoint] = []
        var (latitude, longitude) = (0, 0)
        var index = 0
        while index < bytes.count {
            // No overflow: some thousand differences of 30 bits.
            latitude += try difference(bytes, at: &index)
            longitude += try difference(bytes, at: &index)
            points.append(
                CourseSurvey.Waypoint(
                    latitude: Double(latitude) / unitsPerDegree, longitude: Double(longitude) / unitsPerDegree,
                    line: points.count + 1))
        }
        return points
    }

    /// Reads one number: groups of 5 bits, the lowest first, with a sixth bit where more follow; the lowest bit of all is the
    /// sign. A number has one form only: the last group is not empty.
    private static func difference(_ bytes: [UInt8], at index: inout Int) throws(Flaw) -> Int {
        var (bits, shift) = (0, 0)
        while index < bytes.count, (63...126).contains(bytes[index]), shift < mostBits {
            let group = Int(bytes[index]) - 63
            bits |= (group & 0x1F) << shift
            guard group & 0x20 == 0 else {
                (index, shift) = (index + 1, shift + 5)
                continue
            }
            guard group > 0 || shift == 0 else { break }
            index += 1
            return bits & 1 == 0 ? bits >> 1 : ~(bits >> 1)
        }
        throw .malformed(at: index + 1)
    }
}

extension CourseLine: Codable {
    public init(from decoder: any Decoder) throws {
        try self.init(try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension CourseLine.Flaw: CustomStringConvertible {
    public var description: String {
        switch self {
        case .tooLong(let characters):
            "saw \(characters) characters, expected \(CourseLine.mostCharacters) at most: leave out points on straight stretches"
        case .malformed(let place):
            "saw no encoded polyline at character \(place), expected characters from '?' to '~' in pairs of numbers, with 5 decimals"
        case .stray(let point, let metres):
            "saw point \(point) \(metres) m from its neighbours, which are close to each other: correct it"
        case .survey(.leap(let from, let to, let metres)):
            "saw \(metres / 1_000) km from point \(from.line) to point \(to.line), expected 50 km at most: correct one of them"
        case .survey(let flaw): flaw.description
        }
    }
}

/// Course of a run as its plan names it.
public enum PlannedCourse: Hashable, Sendable {
    /// GPX file beside the run files.
    case file(CompanionFile)
    /// Line of a command.
    case line(CourseLine)

    public var file: CompanionFile? {
        if case .file(let file) = self { file } else { nil }
    }
}

/// A text: the name of a file, or a line after a prefix that no name of a file can have.
extension PlannedCourse: Codable {
    private static let linePrefix = "line:"

    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        if text.hasPrefix(Self.linePrefix) {
            self = .line(try CourseLine(String(text.dropFirst(Self.linePrefix.count))))
        } else {
            self = .file(try CompanionFile(from: decoder))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .file(let file): try file.encode(to: encoder)
        case .line(let line):
            var container = encoder.singleValueContainer()
            try container.encode(Self.linePrefix + line.text)
        }
    }
}
