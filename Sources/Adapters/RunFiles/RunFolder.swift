internal import GatewayModel
import Glibc
public import RunBeacon
public import SettingsReading

/// The run files of a box, and the files beside them. Blocking I/O.
public struct RunFolder: Sendable {
    public let path: String
    private let readCourse: CourseReader

    /// - Parameter path: absolute; it need not exist.
    public init(path: String, course readCourse: @escaping CourseReader) {
        (self.path, self.readCourse) = (path, readCourse)
    }

    /// Result: each file by itself, right or wrong.
    public struct Content: Sendable {
        public let files: [RunFile]
        /// By the path of the file.
        public let errors: [SettingsError]
    }

    public var exists: Bool { access(path, F_OK) == 0 }

    /// Files that look like run files and are not read, by their names: some editors and systems add an ending of their
    /// own, and hide it.
    public var misnamed: [String] {
        let all = (try? entries()) ?? []
        return all.filter {
            !Self.isRunFile($0) && $0.lowercased().contains(RunFile.ending) && !$0.hasSuffix("~")
        }
    }

    /// By the names of the files. Of two files with one run both are wrong. A folder that is not there holds none.
    public func read() -> Content {
        var (files, errors): ([RunFile], [SettingsError]) = ([], [])
        let names: [String]
        do throws(SettingsError) {
            names = try entries().filter(Self.isRunFile)
        } catch {
            return Content(files: [], errors: [error])
        }
        for name in names {
            do throws(SettingsError) {
                files.append(try RunFile(path: path + "/" + name, course: readCourse))
            } catch {
                errors.append(error)
            }
        }
        let byRun = Dictionary(grouping: files, by: \.plan.id).sorted { $0.key.text < $1.key.text }
        for (id, same) in byRun where same.count > 1 {
            let paths = same.map(\.path)
            errors.append(
                .problems(
                    paths.dropFirst().map { path in
                        SettingsProblem(
                            file: path, line: 1, column: nil, key: RunRootSection.id.name,
                            message:
                                "saw \"\(id)\" again, expected another than in \(paths[0]): give each run its own"
                        )
                    }))
            files.removeAll { $0.plan.id == id }
        }
        return Content(files: files, errors: errors)
    }

    /// Files that commands name beside the run files, as far as they can be used.
    public func materials(keys: Set<CompanionFile>, courses: Set<CompanionFile>) -> RunMaterials {
        var materials = RunMaterials()
        for file in keys { materials.keys[file] = try? TagKeyFile.key(file, in: path) }
        for file in courses { materials.courses[file] = (try? readCourse(path + "/" + file.name))?.course }
        return materials
    }

    /// Returns the materials of the run files and of the files that commands name beside them. Blocking I/O.
    public func materials(of files: [RunFile], and catalog: RunCatalog) -> RunMaterials {
        var materials = materials(keys: catalog.companions.keys, courses: catalog.companions.courses)
        for file in files { materials.add(file.materials) }
        return materials
    }

    private static func isRunFile(_ name: String) -> Bool { name.hasSuffix(RunFile.ending) }

    /// Hidden ones are some editor's.
    private func entries() throws(SettingsError) -> [String] {
        guard let folder = opendir(path) else {
            guard errno != ENOENT else { return [] }
            throw .unreadable(
                path: path,
                reason:
                    "cannot be read: \(String(cString: strerror(errno))): it is the folder of the run files; let the "
                    + "user of the gateway read it")
        }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { raw in
                String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }
}
