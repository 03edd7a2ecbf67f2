public import Foundation
import GatewayModel
public import RunBeacon
public import RunFiles
public import SettingsReading

/// A folder of run files, gone with the test.
public final class RunSample: Sendable {
    public let folder: URL

    public init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "runs-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    @discardableResult
    public func write(_ text: String, to name: String, mode: Int = 0o600) throws -> String {
        try write(Data(text.utf8), to: name, mode: mode)
    }

    @discardableResult
    public func write(_ bytes: Data, to name: String, mode: Int = 0o600) throws -> String {
        let file = folder.appending(path: name)
        try bytes.write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        return file.path
    }

    /// A sound run file of one wave.
    public static func text(
        id: String = "milan", head: String = "", waves: String = RunSample.wave,
        checkpoints: String = RunSample.checkpoint, participants: String = RunSample.participant
    ) -> String {
        """
        id = "\(id)"
        title = "Milan 10K"
        end = "2026-05-10T12:00:00+02:00"
        \(head)
        \(waves)
        \(checkpoints)
        \(participants)

        """
    }

    public static let wave = """
        [[waves]]
        id = "all"
        start = "2026-05-10T09:00:00+02:00"
        """
    public static let checkpoint = """
        [[checkpoints]]
        id = "finish"
        distances_m = [10000]
        finish = true
        """
    public static let participant = """
        [[participants]]
        bib = 17
        tags = ["C0:FF:EE:00:00:01"]
        """

    /// - Parameter course: nil where none is expected to be read.
    public func read(_ name: String = "milan.toml", course: Course? = nil) throws(SettingsError) -> RunFile {
        try RunFile(path: folder.appending(path: name).path) { path in
            guard let course else {
                throw NoCourse(description: "\(path): line 3: lat is 95, expected -90 to 90")
            }
            return (course, [])
        }
    }

    public struct NoCourse: Error, CustomStringConvertible {
        public let description: String

        public init(description: String) { self.description = description }
    }

    /// What is wrong with it, as the organiser reads it, without the folder.
    public func complaints(_ name: String = "milan.toml", course: Course? = nil) -> [String] {
        do throws(SettingsError) {
            _ = try read(name, course: course)
            return []
        } catch {
            return error.description.replacingOccurrences(of: folder.path + "/", with: "")
                .split(separator: "\n").map(String.init)
        }
    }
}
