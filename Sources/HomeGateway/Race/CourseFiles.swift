import Hub
import Settings

/// Where the line that is run is read from: a GPX file beside the run file.
enum CourseFiles {
    static let reader: CourseReader = { path in
        let file = try CourseFile(path: path)
        return (file.course, file.warnings)
    }
}
