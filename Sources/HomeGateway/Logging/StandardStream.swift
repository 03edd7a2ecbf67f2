import Glibc

/// Standard output or error, a whole line at a time, also into a pipe.
enum StandardStream {
    case output, error

    /// - Returns: whether all of it was taken.
    @discardableResult
    func write(_ line: String) -> Bool {
        let descriptor = self == .output ? STDOUT_FILENO : STDERR_FILENO
        var bytes = Array((line + "\n").utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { return false }
            bytes = bytes.dropFirst(max(count, 0))
        }
        return true
    }
}
