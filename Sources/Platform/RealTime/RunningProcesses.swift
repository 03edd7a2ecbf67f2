import Glibc

/// Processes of this machine, by proc(5). Blocking I/O.
public enum RunningProcesses {
    /// Whether a process of that name runs, of at most 15 bytes. False also where /proc hides the others' processes.
    public static func contains(_ name: String) -> Bool {
        guard let stream = opendir("/proc") else { return false }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let id = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard id.allSatisfy(\.isNumber), case let file = open("/proc/\(id)/comm", O_RDONLY | O_CLOEXEC),
                file >= 0
            else { continue }
            defer { close(file) }
            var bytes = [UInt8](repeating: 0, count: 16)
            let count = read(file, &bytes, bytes.count)
            if bytes.prefix(max(0, count)).elementsEqual((name + "\n").utf8) { return true }
        }
        return false
    }
}
