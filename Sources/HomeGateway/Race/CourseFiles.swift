import RunBeacon
import Settings

/// Where the line that is run is read from.
enum CourseFiles {
    static let reader: CourseReader = { path in
        throw Unread(description: "\(path): this version reads no courses: leave course out")
    }

    private struct Unread: Error, CustomStringConvertible {
        let description: String
    }
}
