import Glibc

/// Whether gammu-smsd runs, by the file that it writes its process id to.
struct GammuDaemon: Hashable, Sendable {
    let pidFile: String

    enum State: Hashable {
        case runs
        case isDead(String)
        /// Its file is not there, or not ours to read.
        case unknown
    }

    var state: State {
        guard let file = fopen(pidFile, "re") else { return errno == ENOENT ? .isDead(missing) : .unknown }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 32)
        guard fgets(&line, Int32(line.count), file) != nil, let process = pid_t(Self.digits(line)), process > 0
        else { return .unknown }
        // Signal 0 only asks (kill(2)); another user's process says EPERM.
        if kill(process, 0) == 0 || errno == EPERM { return .runs }
        return .isDead("gammu-smsd has ended: its process \(process) of \(pidFile) is gone")
    }

    private var missing: String { "gammu-smsd does not run: there is no \(pidFile)" }

    private static func digits(_ line: [CChar]) -> String {
        String(decoding: line.prefix { $0 > 0x20 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
