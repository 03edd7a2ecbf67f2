import Markup
public import RunBeacon

/// The course of a run, out of a GPX file.
public struct CourseFile: Sendable {
    public let course: Course
    /// What is likely not meant, by line. It is used nevertheless.
    public let warnings: [SettingsProblem]

    /// A day's track of a watch that records each second, with heart rate and all, takes 25 MB.
    private static let kind = SettingsFile.Kind(
        sizeLimit: 32 << 20,
        whenTooLarge: "is larger than 32 MiB: a course needs a point every few metres only",
        whenAbsent: "check the path")

    /// Blocking I/O; a file as large as they may be takes a second.
    ///
    /// - Throws: `unreadable`, or `problems` with the first that makes it no course, and its line.
    public init(path: String) throws(SettingsError) {
        try self.init(bytes: try SettingsFile.bytes(path: path, of: Self.kind), path: path)
    }

    init(bytes: [UInt8], path: String) throws(SettingsError) {
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
