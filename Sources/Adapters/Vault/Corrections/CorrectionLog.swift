import GatewayModel
public import RunBeacon

/// The log of corrections on disk: `corrections.jsonl`, an append-only file with one line a correction. Each line contains
/// the hash of the line before. The gateway never deletes from it.
///
/// Blocking I/O: one thread at a time, never the SOS thread.
public struct CorrectionLog: Sendable {
    /// Content of the log, and its flaws.
    public struct Report: Sendable {
        /// Readable corrections, in the order of their lines.
        public fileprivate(set) var corrections: [RaceCorrection] = []
        /// Empty if all lines are as the gateway wrote them.
        public var flaws: [PassingLogFlaw] { chain.flaws }
        /// Bytes of an incomplete line at the end.
        fileprivate var torn = 0
        fileprivate var chain = LogChain()

        /// Reads the log. Changes nothing.
        /// - Parameter directory: absolute; a gateway may be writing there.
        public init(of directory: String) throws(DiskFailure) {
            guard let bytes = try DurableFile.read(CorrectionLog.path(in: directory)) else { return }
            var rest = bytes[...]
            while let lineEnd = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = CorrectionLine(rest[..<lineEnd])
                let correction = line?.correction
                chain.take(rest[..<lineEnd], link: correction == nil ? nil : line.map { ($0.seq, $0.prev) })
                if let correction { corrections.append(correction) }
                rest = rest[(lineEnd + 1)...]
            }
            torn = rest.count
            chain.end.size = bytes.count - torn
        }
    }

    private static let markName = "corrections.jsonl"

    private let path: String
    private let marks: StateMarks?
    private var end: PassingLog.End

    /// Opens the log. Removes a line that a power cut tore: nobody was told that it holds.
    ///
    /// - Parameters:
    ///   - directory: absolute; no other process writes there.
    ///   - marks: the marks of this directory. A log that ends before its mark has lost lines.
    public static func open(
        in directory: String, marks: StateMarks? = nil
    ) throws(DiskFailure) -> (log: CorrectionLog, report: Report) {
        let path = path(in: directory)
        var report: Report
        do throws(DiskFailure) {
            report = try Report(of: directory)
            if report.torn > 0 { try DurableFile.cut(path, to: report.chain.end.size) }
            report.chain.compare(with: marks?[markName])
        } catch {
            guard error.isDamage || error.isForbidden else { throw error }
            let aside = try DurableFile.setAside(path)
            report = try Report(of: directory)
            report.chain.add(.unusable(asidePath: aside))
        }
        let log = CorrectionLog(path: path, marks: marks, end: report.chain.end)
        log.note()
        return (log, report)
    }

    static func path(in directory: String) -> String { directory + "/corrections.jsonl" }

    private init(path: String, marks: StateMarks?, end: PassingLog.End) {
        (self.path, self.marks, self.end) = (path, marks, end)
    }

    /// Lines count from 0, marks from 1.
    private func note() { marks?.note(Self.markName, end.seq + 1, detail: end.hash) }

    /// Appends a correction; durable on return. If it throws, the correction is not in the log.
    public mutating func append(_ correction: RaceCorrection) throws(DiskFailure) {
        let line = CorrectionLine(correction, after: end).bytes
        // An append that failed may have left a part of its line.
        if try DurableFile.size(path) > end.size { try DurableFile.cut(path, to: end.size) }
        try DurableFile.append(line + [UInt8(ascii: "\n")], to: path)
        (end.seq, end.hash, end.size) = (end.seq + 1, LedgerHash.of(line), end.size + line.count + 1)
        note()
    }
}

/// One line of the log of corrections. Times are in milliseconds since 1970, bounds in milliseconds.
struct CorrectionLine: Codable {
    var seq: Int64
    /// SHA-256 of the line before, without its line break; zeros in the first.
    var prev: String
    var run: RunID
    var number: Int
    var bib: Bib
    /// `add`, `strike`, `dns`, `dnf`, `dsq` or `undo`.
    var act: String
    var checkpoint: CheckpointID?
    var order: Int?
    var time, bound: Int64?
    var passing: MessageID?
    var undoes: Int?
    var by, reason: String
    var at: Int64

    var bytes: [UInt8] { JSONLine.bytes(self) }

    /// Returns nil if the bytes are not a line of this version.
    init?(_ bytes: some Collection<UInt8>) {
        guard let line: CorrectionLine = JSONLine.read(bytes), (0...Int64(1 << 53)).contains(line.seq) else {
            return nil
        }
        self = line
    }

    init(_ correction: RaceCorrection, after end: PassingLog.End) {
        (seq, prev) = (end.seq + 1, end.hash)
        (run, number, bib) = (correction.run, correction.number, correction.bib)
        (by, reason, at) = (correction.by, correction.reason, correction.at.millisecondsSince1970)
        switch correction.act {
        case .add(let checkpoint, let order, let time, let bound):
            (act, self.checkpoint, self.order) = ("add", checkpoint, order)
            (self.time, self.bound) = (time.millisecondsSince1970, bound)
        case .strike(let id): (act, passing) = ("strike", id)
        case .mark(let mark): act = mark.rawValue
        case .undo(let number): (act, undoes) = ("undo", number)
        }
    }

    private static let times = Int64(0)...253_402_300_799_999

    /// Nil for an act that this version does not know, and for impossible values.
    var correction: RaceCorrection? {
        guard let act = readAct, number > 0, Self.times.contains(at) else { return nil }
        return RaceCorrection(
            number: number, run: run, bib: bib, act: act, by: by, at: WallTime(millisecondsSince1970: at),
            reason: reason)
    }

    private var readAct: RaceCorrection.Act? {
        switch act {
        case "add":
            guard let checkpoint, let order, order > 0, let time, Self.times.contains(time), let bound,
                RaceCorrection.bounds.contains(bound)
            else { return nil }
            return .add(checkpoint, order: order, time: WallTime(millisecondsSince1970: time), bound: bound)
        case "strike": return passing.map { .strike($0) }
        case "undo": return undoes.map { .undo($0) }
        default: return RaceCorrection.Mark(rawValue: act).map { .mark($0) }
        }
    }
}
