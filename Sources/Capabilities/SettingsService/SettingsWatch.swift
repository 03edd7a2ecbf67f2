package import GatewayModel
import Glibc
import Hub
import RealTime
package import Settings
package import SettingsReading

/// The settings files on the disk beside those that run: whether they would start, and whether they are the same.
///
/// Looked at by their times, and read only where these have changed. Blocking I/O; one thread.
package struct SettingsWatch: Sendable {
    package enum Finding: Hashable, Sendable {
        /// As they run.
        case same
        /// Right, and not in force yet.
        case different
        /// Mistakes in the files.
        case wrong([SettingsProblem])
    }

    private struct Stamp: Hashable {
        let device: UInt64
        let inode: UInt64
        let size: Int64
        let seconds: Int
        let nanoseconds: Int

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            device = UInt64(status.st_dev)
            inode = UInt64(status.st_ino)
            size = Int64(status.st_size)
            seconds = status.st_mtim.tv_sec
            nanoseconds = status.st_mtim.tv_nsec
        }
    }

    /// An editor writes within it; the next power cut is further away.
    package static let interval = Duration.seconds(3)

    private let files: [String]
    private var stamps: [Stamp?]?
    private var compared: SettingsCopy?
    private var next: BootInstant?

    /// - Parameters:
    ///   - path: of the settings file.
    ///   - devices: of the devices file.
    package init(path: String, devices: String) {
        files = [path, devices]
    }

    /// - Parameter running: the text that runs.
    /// - Returns: nil while nothing has changed since the last look.
    package mutating func look(at now: BootInstant, running: SettingsCopy?) -> Finding? {
        if let next, now < next { return nil }
        next = now.advanced(by: Self.interval)
        let stamps = files.map(Stamp.init)
        guard stamps != self.stamps || running != compared else { return nil }
        (self.stamps, compared) = (stamps, running)
        let found = SalvagedSettings(path: files[0])
        if let copy = found.copy, copy == running { return .same }
        return found.setAside.isEmpty ? .different : .wrong(found.problems)
    }
}
