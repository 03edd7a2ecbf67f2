import ControlContract
import ControlLink
import ControlSocket
import GatewayModel
import Glibc
import RealTime
import Settings

/// Looks at the box for a support bundle. It changes nothing. A part that cannot be read is left out.
struct SupportCollector {
    let settingsFile, consoleFile: String
    let socket: GatewaySocket
    /// Whether services are tried, as `check` does without --offline.
    let triesServices: Bool

    /// Bytes of one answer of another program. A week of a busy log has some megabytes.
    private static let mostOutput = 64 << 20
    /// A `check` tries each service for 10 s at most.
    private static let limit = Duration.seconds(300)

    /// Blocking I/O, up to some minutes.
    func collect(version: String) -> SupportBundle.Observations {
        let state = GatewaySettings.stateDirectory(of: settingsFile)
        var seen = SupportBundle.Observations()
        seen.version = version
        seen.platform = platform(state)
        for unit in SupportUnits.units {
            seen.units[unit] = text(
                "/usr/bin/systemctl", ["show", unit, "--no-pager", "--property=\(SupportUnits.properties)"])
        }
        seen.gatewaySettings = Self.bytes(of: settingsFile)
        seen.devices = Self.bytes(of: "\(state)/\(StateFileName.devices.rawValue)")
        seen.consoleSettings = Self.bytes(of: consoleFile)
        seen.check = output(
            "/proc/self/exe",
            ["check", "--json", "--config", settingsFile] + (triesServices ? [] : ["--offline"]))
        seen.status = status()
        seen.state = files(of: state)
        seen.log = text(
            "/usr/bin/journalctl",
            [
                "--no-pager", "--quiet", "--output=short-unix", "--since=-7d", "--unit=homegateway",
                "--unit=homegateway-console",
            ]
        )?.split(separator: "\n").map(String.init)
        return seen
    }

    private func status() -> [UInt8]? {
        guard var client = try? socket.client(),
            var snapshot = try? client.ask(Verb.Status()).document
        else { return nil }
        // They open a question in the house for a while.
        snapshot.linkCodes = nil
        return try? ControlJSON.line(snapshot)
    }

    /// - Parameter state: the state directory, of whose disk the sizes are.
    func platform(_ state: String) -> [String: String] {
        var seen: [String: String] = [:]
        var system = utsname()
        if uname(&system) == 0 {
            seen["architecture"] = Self.text(system.machine)
            seen["kernel"] = Self.text(system.release)
        }
        for line in (Self.bytes(of: "/etc/os-release").map { String(decoding: $0, as: UTF8.self) } ?? "")
            .split(separator: "\n")
        {
            let value = line.drop { $0 != "=" }.dropFirst().filter { $0 != "\"" }
            if line.hasPrefix("ID=") { seen["system"] = value }
            if line.hasPrefix("VERSION_ID=") { seen["release"] = value }
        }
        seen["processors"] = String(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        seen["memory_mb"] = String(sysconf(Int32(_SC_PHYS_PAGES)) / 1024 * sysconf(Int32(_SC_PAGESIZE)) / 1024)
        var disk = statvfs()
        if statvfs(state, &disk) == 0 {
            // In Swift >> binds before *.
            seen["disk_total_mb"] = String((UInt64(disk.f_blocks) * UInt64(disk.f_frsize)) >> 20)
            seen["disk_free_mb"] = String((UInt64(disk.f_bavail) * UInt64(disk.f_frsize)) >> 20)
        }
        seen["uptime_s"] = String(Clock.boot().nanoseconds / 1_000_000_000)
        return seen
    }

    private static func text<Tuple>(_ field: Tuple) -> String {
        withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// Bytes of a short file; nil where it cannot be read or is longer than 1 MiB.
    private static func bytes(of path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= 1 << 20
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        let count = read(descriptor, &bytes, bytes.count)
        return count >= 0 ? Array(bytes.prefix(count)) : nil
    }

    private func files(of directory: String) -> [SupportState.File]? {
        guard let handle = opendir(directory) else { return nil }
        defer { closedir(handle) }
        var files: [SupportState.File] = []
        while let entry = readdir(handle) {
            let name = Self.text(entry.pointee.d_name)
            let descriptor = openat(dirfd(handle), name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            var head = [UInt8](repeating: 0, count: 100)
            let count = read(descriptor, &head, head.count)
            files.append(
                SupportState.File(
                    name: name, size: Int(status.st_size), head: Array(head.prefix(max(0, count)))))
        }
        return files
    }

    private func text(_ program: String, _ arguments: [String]) -> String? {
        output(program, arguments).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Standard output of a program, whatever its exit code is; nil where it cannot be started or gives nothing.
    private func output(_ program: String, _ arguments: [String]) -> [UInt8]? {
        var ends: [Int32] = [-1, -1]
        // A child gets only the descriptors that it is given.
        guard pipe(&ends) == 0 else { return nil }
        defer { close(ends[0]) }
        let started = try? SpawnedProcess(
            program, arguments, descriptors: [.init(ends[1], as: STDOUT_FILENO)],
            environment: .inherited(without: ["LC_ALL", "LANG"], and: ["LC_ALL=C"]))
        close(ends[1])
        guard let process = started else { return nil }
        let end = Clock.boot().advanced(by: Self.limit)
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65536)
        while bytes.count < Self.mostOutput {
            let left = Clock.boot().duration(to: end)
            guard left > .zero, Poll.wait([Poll.Interest(ends[0], events: POLLIN)], timeout: left).readable[0]
            else { break }
            let count = read(ends[0], &block, block.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += block.prefix(count)
        }
        _ = process.waitForEnd(upTo: bytes.count < Self.mostOutput ? .seconds(1) : .zero)
        return bytes.isEmpty ? nil : bytes
    }
}
