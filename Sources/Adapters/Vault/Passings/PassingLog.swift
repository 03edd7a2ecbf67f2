public import GatewayModel
public import RunBeacon

/// The log of passings on disk: `passings.jsonl`, an append-only file with one line a passing. Each line contains the
/// hash of the line before. The gateway never deletes from it.
///
/// Blocking I/O: one thread at a time, never the SOS thread.
public struct PassingLog: Sendable {
    /// Content of a line.
    public struct Entry: Sendable {
        public enum What: Sendable {
            case start
            case clock(ClockMark)
            case passing(RecordedPassing)
        }

        public let what: What
        public let made: Moment

        public init(_ what: What, made: Moment) {
            (self.what, self.made) = (what, made)
        }

        /// Passing of the entry; nil for other entries.
        public var passing: RecordedPassing? { if case .passing(let record) = what { record } else { nil } }
    }

    /// Position of the next line.
    struct End: Hashable, Sendable {
        /// Number of the last line; -1 before the first.
        var seq: Int64 = -1
        var hash = LedgerHash.nothing
        /// Bytes of the file up to the end of the last line. The bytes after it are a line that a power cut tore.
        var size = 0
    }

    /// Time after which the outbox and its disk have taken a written passing.
    static let handover = Duration.seconds(60)

    public let path: String
    public let gateway: GatewayID
    private let boot: String
    private let marks: StateMarks?
    private var end: End
    /// An append has failed and may have left a part of its lines.
    private var isUnsure = false

    /// Opens the log. Removes a line that a power cut tore: it was not sent to any recipient.
    ///
    /// - Parameters:
    ///   - directory: absolute; no other process writes there.
    ///   - boot: boot ID of the machine.
    ///   - runs: the report has the passings of these runs; nil for all.
    ///   - marks: the marks of this directory. A log that ends before its mark has lost lines.
    /// - Returns: the log, and a report on its content.
    public static func open(
        in directory: String, of gateway: GatewayID, boot: String, keeping runs: Set<RunID>? = nil,
        marks: StateMarks? = nil
    ) throws(DiskFailure) -> (log: PassingLog, report: PassingReport) {
        let path = path(in: directory)
        var walk: PassingWalk
        do throws(DiskFailure) {
            walk = try PassingWalk(of: path, keeping: runs)
            if walk.torn > 0 { try DurableFile.cut(path, to: walk.end.size) }
            walk.compare(with: marks?[markName])
        } catch {
            guard error.isDamage || error.isForbidden else { throw error }
            let aside = try DurableFile.setAside(path)
            walk = try PassingWalk(of: path, keeping: runs)
            walk.add(.unusable(asidePath: aside))
        }
        let log = PassingLog(path: path, gateway: gateway, boot: boot, marks: marks, end: walk.end)
        log.note()
        return (log, PassingReport(walk))
    }

    static func path(in directory: String) -> String { directory + "/passings.jsonl" }

    private static let markName = "passings.jsonl"

    /// Lines count from 0, marks from 1.
    private func note() { marks?.note(Self.markName, end.seq + 1, detail: end.hash) }

    /// Appends the entries with one write and one sync; durable on return. If it throws, the entries are not in the
    /// log, not even in part, and may be appended again.
    public mutating func append(_ entries: [Entry]) throws(DiskFailure) {
        guard !entries.isEmpty else { return }
        var (after, bytes) = (end, [UInt8]())
        for entry in entries {
            let line = PassingLine(entry, after: after, box: gateway, boot: boot).bytes
            bytes += line
            bytes.append(UInt8(ascii: "\n"))
            (after.seq, after.hash) = (after.seq + 1, LedgerHash.of(line))
        }
        // Set until the append has succeeded, because a failure may leave a part of it.
        let hasFailed = isUnsure
        isUnsure = true
        let size = try DurableFile.size(path)
        if hasFailed, size > end.size {
            try DurableFile.cut(path, to: end.size)
        } else if size != end.size {
            // Another process has changed the file. The check of the log detects that, and the new lines are not
            // affected.
            if size > 0, try DurableFile.isTorn(path) { bytes.insert(UInt8(ascii: "\n"), at: 0) }
            after.size = size
        }
        after.size += bytes.count
        try DurableFile.append(bytes, to: path)
        (end, isUnsure) = (after, false)
        note()
    }
}
