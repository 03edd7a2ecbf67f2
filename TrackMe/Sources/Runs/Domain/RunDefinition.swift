public import GatewayModel
public import RunBeacon

/// A run as its organisers describe it.
public struct RunDefinition: Hashable, Sendable {
    public static let titleLength = 1...100
    public static let descriptionLength = 0...500
    /// Participants of a run. One rendering of so many takes a fifth of a second.
    public static let limits = 1...2_000

    public let id: RunID
    public let description: String
    public let outline: RunOutline
    /// Maximum number of participants.
    public let most: Int

    /// - Throws: `RunFault` for the first contradiction.
    public init(id: RunID, description: String, outline: RunOutline, most: Int) throws(RunFault) {
        (self.id, self.description, self.outline, self.most) = (id, description, outline, most)
        guard Self.titleLength.contains(outline.title.count), !Self.hasControls(outline.title) else {
            throw .title
        }
        guard Self.descriptionLength.contains(description.count), !Self.hasControls(description) else {
            throw .description
        }
        guard Self.limits.contains(most) else { throw .most }
        let run = try run(with: [])
        guard run.length < Run.longest else { throw .tooLong }
    }

    private static func hasControls(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// Start of the first wave.
    public var start: WallTime { outline.waves.map(\.start).min() ?? outline.end }

    /// - Parameter entrants: tags by a file of a key are left out, since their keys never leave the boxes.
    /// - Throws: `RunFault.contradiction`.
    public func run(with entrants: [Entrant]) throws(RunFault) -> Run {
        do throws(Run.Flaw) {
            return try Run(
                RunPlan(
                    id: id, outline: outline,
                    entrants: entrants.map { entrant in
                        Entrant(
                            bib: entrant.bib, name: entrant.name, category: entrant.category,
                            wave: entrant.wave,
                            tags: entrant.tags.filter { if case .heard = $0 { true } else { false } },
                            carries: entrant.carries)
                    }))
        } catch {
            throw .contradiction(error.description)
        }
    }
}

/// Fault of a definition or of a participant as somebody entered them.
public enum RunFault: Error, Hashable, Sendable {
    case id, title, description, most, waves, end, tooLong, checkpoints
    /// With the reason, in English.
    case course(String)
    case bib, name, category, wave, tag, box
    /// There is neither a tag nor a box that the runner carries.
    case noTracker
    /// With the reason, in English.
    case contradiction(String)
}

/// Text forms of the parts of a run, for fields of one line.
public enum RunText {
    /// `2026-05-10T09:00:00+02:00`, or several with their names: `fast TIME; late TIME`.
    public static func waves(_ text: String) throws(RunFault) -> [Wave] {
        var waves: [Wave] = []
        for entry in entries(text) {
            let words = entry.split(separator: " ")
            guard let last = words.last, let start = WallTime(rfc3339: String(last)), words.count <= 2,
                let id = WaveID(words.count == 2 ? String(words[0]) : "all")
            else { throw .waves }
            waves.append(Wave(id: id, start: start))
        }
        guard (1...20).contains(waves.count) else { throw .waves }
        return waves
    }

    /// `start 0 house-11; bridge 2500,7500 house-12; finish 10000 house-13 finish`.
    public static func checkpoints(_ text: String) throws(RunFault) -> [Checkpoint] {
        var checkpoints: [Checkpoint] = []
        for entry in entries(text) {
            var words = entry.split(separator: " ").map(String.init)
            guard words.count >= 2, let id = CheckpointID(words.removeFirst()) else { throw .checkpoints }
            let distances = words.removeFirst().split(separator: ",").map { Double(String($0)) }
            let isFinish = words.last == "finish"
            if isFinish { words.removeLast() }
            let box = words.isEmpty ? nil : GatewayID(words.removeFirst())
            guard words.isEmpty, entry.split(separator: " ").count == (isFinish ? 3 : 2) + (box == nil ? 0 : 1),
                let checkpoint = Checkpoint(
                    id: id, distances: distances.compactMap(\.self), isFinish: isFinish, box: box),
                !distances.contains(nil)
            else { throw .checkpoints }
            checkpoints.append(checkpoint)
        }
        guard (1...50).contains(checkpoints.count) else { throw .checkpoints }
        return checkpoints
    }

    private static func entries(_ text: String) -> [String] {
        text.split(separator: ";").map { $0.trimmingPrefix { $0 == " " } }.map(String.init).filter {
            !$0.allSatisfy { $0 == " " }
        }
    }

    public static func text(of waves: [Wave], time: (WallTime) -> String) -> String {
        waves.map { "\($0.id) \(time($0.start))" }.joined(separator: "; ")
    }

    public static func text(of checkpoints: [Checkpoint]) -> String {
        checkpoints.map { point in
            let distances = point.distances.map { $0 == $0.rounded() ? "\(Int($0))" : "\($0)" }
            return
                ([point.id.text, distances.joined(separator: ",")] + (point.box.map { [$0.text] } ?? [])
                + (point.isFinish ? ["finish"] : [])).joined(separator: " ")
        }.joined(separator: "; ")
    }
}

/// Encoded polyline of a course, of 5 decimals, as a command carries it.
public enum CoursePolyline {
    /// Leaves out points evenly until the text fits into a command.
    public static func line(of course: Course) throws(RunFault) -> CourseLine {
        var step = 1
        while step <= course.points.count {
            var points = stride(from: 0, to: course.points.count - 1, by: step).map { course.points[$0] }
            points.append(course.points[course.points.count - 1])
            let text = encoded(points)
            if text.utf8.count <= CourseLine.mostCharacters { return try line(text) }
            step *= 2
        }
        throw .course("the course has too many points")
    }

    public static func line(_ text: String) throws(RunFault) -> CourseLine {
        do throws(CourseLine.Flaw) { return try CourseLine(text) } catch { throw .course(error.description) }
    }

    static func encoded(_ points: [Coordinates]) -> String {
        var (bytes, latitude, longitude): ([UInt8], Int, Int) = ([], 0, 0)
        for point in points {
            let (north, east) = (Int((point.latitude * 1e5).rounded()), Int((point.longitude * 1e5).rounded()))
            append(north - latitude, to: &bytes)
            append(east - longitude, to: &bytes)
            (latitude, longitude) = (north, east)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(_ value: Int, to bytes: inout [UInt8]) {
        var rest = value < 0 ? ~(value << 1) : value << 1
        while rest >= 0x20 {
            bytes.append(UInt8(0x20 | rest & 0x1F) + 63)
            rest >>= 5
        }
        bytes.append(UInt8(rest) + 63)
    }
}
