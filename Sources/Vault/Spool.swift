public import Contract
import Glibc

/// A file that carries unsent messages from one run to the next: one JSON object a line.
///
/// Written whole to a neighbour, synced, then renamed over, so a power cut leaves the old or the new
/// one and never half of either. Owner-only, because it holds readings. Blocking I/O: not for the SOS
/// thread.
public struct Spool: Sendable {
    /// A disk that did not do as asked.
    public struct Failure: Error, CustomStringConvertible, Sendable {
        public let description: String

        init(_ doing: String, _ path: String, number: Int32) {
            description = "\(doing) \(path): \(String(cString: strerror(number))) (errno \(number))"
        }
    }

    public let path: String

    public init(path: String) {
        self.path = path
    }

    /// Replaces the file; an empty list removes it.
    public func save(_ envelopes: [Envelope]) throws(Failure) {
        guard !envelopes.isEmpty else {
            guard unlink(path) == 0 || errno == ENOENT else { throw Failure("removing", path, number: errno) }
            return
        }
        let neighbour = path + ".new"
        let bytes = envelopes.flatMap { StoredEnvelope.line($0) + [UInt8(ascii: "\n")] }
        try write(bytes, to: neighbour)
        guard rename(neighbour, path) == 0 else { throw Failure("replacing", path, number: errno) }
    }

    /// What was saved, and how many lines could not be read (another version's, or damage).
    ///
    /// The file stays until the next `save`: if this run dies early, the next one reads it again, and
    /// the consumer keeps one of each id.
    public func load() throws(Failure) -> (envelopes: [Envelope], unreadable: Int) {
        let lines = try read().split(separator: UInt8(ascii: "\n"))
        let envelopes = lines.compactMap { StoredEnvelope.envelope(line: $0) }
        return (envelopes, lines.count - envelopes.count)
    }

    private func write(_ bytes: [UInt8], to path: String) throws(Failure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure("creating", path, number: errno) }
        defer { close(descriptor) }
        var offset = 0
        while offset < bytes.count {
            let count = bytes[offset...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EINTR else { throw Failure("writing", path, number: errno) }
            offset += max(count, 0)
        }
        guard fsync(descriptor) == 0 else { throw Failure("syncing", path, number: errno) }
    }

    private func read() throws(Failure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return [] }
            throw Failure("opening", path, number: errno)
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            guard count >= 0 || errno == EINTR else { throw Failure("reading", path, number: errno) }
            if count == 0 { return bytes }
            bytes += chunk.prefix(max(count, 0))
        }
    }
}
