public import Contract

/// A file that carries unsent messages from one run to the next: one JSON object a line.
///
/// Blocking I/O: not for the SOS thread.
public struct Spool: Sendable {
    public let path: String

    /// - Parameter path: absolute.
    public init(path: String) {
        self.path = path
    }

    /// Replaces the file; an empty list removes it.
    public func save(_ envelopes: [Envelope]) throws(DiskFailure) {
        guard !envelopes.isEmpty else { return try DurableFile.remove(path) }
        let lines = envelopes.flatMap { StoredEnvelope.line($0) + [UInt8(ascii: "\n")] }
        try DurableFile.replace(path, with: lines)
    }

    /// Whether the directory takes a file at all: better known at the start than at the end.
    public func probe() throws(DiskFailure) {
        try DurableFile.replace(path + ".probe", with: [])
        try DurableFile.remove(path + ".probe")
    }

    /// What was saved, and how many lines could not be read (another version's, or damage).
    ///
    /// The file stays: whoever has sent what it held saves anew. If the run dies before, the next one sends
    /// it again, and the consumer keeps one of each id.
    public func load() throws(DiskFailure) -> (envelopes: [Envelope], unreadable: Int) {
        let lines = try (DurableFile.read(path) ?? []).split(separator: UInt8(ascii: "\n"))
        let envelopes = lines.compactMap { StoredEnvelope.envelope(line: $0) }
        return (envelopes, lines.count - envelopes.count)
    }
}
