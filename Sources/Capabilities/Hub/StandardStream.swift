import Glibc
import RealTime

/// Standard output or standard error, written in whole lines, also into a pipe.
package enum StandardStream {
    case output, error

    /// Time without progress after which a reader counts as stalled; a working console takes a line at once.
    private static let patience = Duration.seconds(1)

    /// - Parameter onStall: called where the reader has stalled; the write goes on waiting.
    /// - Returns: whether the reader took the whole line.
    @discardableResult
    package func write(_ line: String, onStall: (() -> Void)? = nil) -> Bool {
        let descriptor = self == .output ? STDOUT_FILENO : STDERR_FILENO
        var bytes = Array((line + "\n").utf8)[...]
        while !bytes.isEmpty {
            if let onStall, !Self.takesMore(descriptor) { onStall() }
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { return false }
            bytes = bytes.dropFirst(max(count, 0))
        }
        return true
    }

    private static func takesMore(_ descriptor: Int32) -> Bool {
        Poll.wait([Poll.Interest(descriptor, events: POLLOUT)], timeout: patience).writable[0]
    }
}
