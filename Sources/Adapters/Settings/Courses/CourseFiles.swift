/// Reader of the courses that run files name: GPX files beside them.
public enum CourseFiles {
    public static let reader: CourseReader = { path in
        let file = try CourseFile(path: path)
        return (file.course, file.warnings)
    }
}
