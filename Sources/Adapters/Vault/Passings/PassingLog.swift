public import GatewayModel
public import RunBeacon

/// The log of passings on disk: `passings.jsonl`, one line a passing, each bound to the one before by its hash and only
/// ever appended. Nothing in the gateway deletes from it.
///
/// Blocking I/O: one thread at a time, never the SOS thread.
public struct PassingLog: Sendable {
    /// What becomes a line.
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

        /// Nil for another line.
        public var passing: RecordedPassing? { if case .passing(let record) = what { record } else { nil } }
    }

    /// Where lines are added next.
    struct End: Hashable, Sendable {
        /// Of the last line; -1 before the first.
        var seq: Int64 = -1
        var hash = LedgerHash.nothing
        /// Bytes of the file up to there: what stands beyond is a line that a power cut tore.
        var size = 0
    }

    /// After this long a passing that was written has been taken by the outbox, and its disk.
    static let handover = Duration.seconds(60)

    public let path: String
    public let gateway: GatewayID
    private let boot: String
    private let marks: StateMarks?
    private var end: End
    /// An append has failed, half way it may be.
    private var isUnsure = false

    /// Finds where the log ends. What a power cut tore is cut off: it was told to nobody.
    ///
    /// - Parameters:
    ///   - directory: absolute; nobody else writes there.
    ///   - boot: this start of the machine.
    ///   - runs: of which the report has the passings; nil for all.
    ///   - marks: of this directory. A log that ends before its mark has lost lines.
    /// - Returns: also what it says.
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

    /// Durable when it returns: one write and one sync for all of them. What it throws for is not in the log, wholly or in
    /// part, and may be appended again.
    public mutating func append(_ entries: [Entry]) throws(DiskFailure) {
        guard !entries.isEmpty else { return }
        var (after, bytes) = (end, [UInt8]())
        for entry in entries {
            let line = PassingLine(entry, after: after, box: gateway, boot: boot).bytes
            bytes += line
            bytes.append(UInt8(ascii: "\n"))
            (after.seq, after.hash) = (after.seq + 1, LedgerHash.of(line))
        }
        // Until it is done: half of it may be left there.
        let hasFailed = isUnsure
        isUnsure = true
        let size = try DurableFile.size(path)
        if hasFailed, size > end.size {
            try DurableFile.cut(path, to: end.size)
        } else if size != end.size {
            // Somebody has changed it: that shows, and takes no other line along.
            if size > 0, try DurableFile.isTorn(path) { bytes.insert(UInt8(ascii: "\n"), at: 0) }
            after.size = size
        }
        after.size += bytes.count
        try DurableFile.append(bytes, to: path)
        (end, isUnsure) = (after, false)
        note()
    }
}
