import GatewayModel
import RunBeacon

/// Contents of the log of passings, checked line by line. Uses memory for the requested passings only.
struct PassingWalk {
    fileprivate struct Written {
        let record: RecordedPassing
        let boot: String
        let at: BootInstant
    }

    /// A known time of day within one boot of the machine.
    struct Dated {
        let time: WallTime
        let boot: String
        let at: BootInstant
    }

    private(set) var end = PassingLog.End()
    private(set) var records: [RecordedPassing] = []
    /// Clock marks by boot ID of the machine.
    private(set) var marks: [String: [ClockMark]] = [:]
    private(set) var flaws: [PassingLogFlaw] = []
    /// Number of bytes after the last line break.
    var torn: Int { begun.count }
    /// Boot ID and instant of the last line.
    private(set) var last: (boot: String, at: BootInstant)?
    private(set) var gateways: Set<GatewayID> = []
    /// The latest time of day that was known.
    private(set) var latest: Dated?
    /// Latest time of each run.
    private(set) var timed: [RunID: WallTime] = [:]
    /// Passings of the last minute, of all runs.
    private var recent: [Written] = []
    private var line = 0
    /// Bytes of an incomplete line.
    private var begun: [UInt8] = []
    private let runs: Set<RunID>?

    /// - Parameter runs: the passings of these runs are kept; nil for all.
    init(of path: String, keeping runs: Set<RunID>?) throws(DiskFailure) {
        self.runs = runs
        _ = try DurableFile.read(path) { read($0) }
    }

    /// - Parameter mark: mark of the log after the last write.
    mutating func compare(with mark: StateMarks.Mark?) {
        guard let mark, mark.sequence > 0 else { return }
        let least = mark.sequence - 1
        guard end.seq < least || end.seq == least && end.hash != mark.detail else { return }
        add(.behind(line: end.seq, ofAtLeast: least))
    }

    mutating func add(_ flaw: PassingLogFlaw) { flaws.append(flaw) }

    private mutating func read(_ piece: ArraySlice<UInt8>) {
        var rest = piece
        while let lineEnd = rest.firstIndex(of: UInt8(ascii: "\n")) {
            begun += rest[..<lineEnd]
            take(begun[...])
            end.size += begun.count + 1
            begun.removeAll(keepingCapacity: true)
            rest = rest[(lineEnd + 1)...]
        }
        begun += rest
    }

    /// Passings that may have been written, but not taken over by the outbox when the gateway ended. They are offered
    /// again, under their IDs.
    var unsure: [RecordedPassing] {
        guard let last else { return [] }
        return recent.filter { $0.isRecent(at: last) }.map(\.record)
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>) {
        line += 1
        defer { end.hash = LedgerHash.of(bytes) }
        guard let read = PassingLine(bytes) else {
            end.seq += 1
            return flaws.append(.unreadable(line: line))
        }
        if read.seq != end.seq + 1 {
            flaws.append(.misnumbered(line: line, saw: read.seq, expected: end.seq + 1))
        } else if read.prev != end.hash {
            flaws.append(.unlinked(line: line))
        }
        end.seq = read.seq
        last = (read.boot, read.at)
        gateways.insert(read.box)
        if let mark = read.mark {
            marks[read.boot, default: []].append(mark)
            let (time, bound) = mark.time(of: mark.at)
            if bound != nil { note(Dated(time: time, boot: read.boot, at: mark.at)) }
        }
        if let record = read.record {
            note(record)
            if runs?.contains(record.passing.run) ?? true { records.append(record) }
            recent.removeFirst(recent.prefix { !$0.isRecent(at: (read.boot, read.at)) }.count)
            recent.append(Written(record: record, boot: read.boot, at: read.at))
        } else if read.what == .passing {
            flaws.append(.unreadable(line: line))
        }
    }

    private mutating func note(_ record: RecordedPassing) {
        let passing = record.passing
        timed[passing.run] = max(passing.time, timed[passing.run] ?? passing.time)
        guard passing.bound != nil else { return }
        note(Dated(time: passing.time, boot: record.boot, at: record.nearest))
    }

    private mutating func note(_ dated: Dated) {
        guard latest.map({ $0.time < dated.time }) ?? true else { return }
        latest = dated
    }
}

extension PassingWalk.Written {
    fileprivate func isRecent(at last: (boot: String, at: BootInstant)) -> Bool {
        boot == last.boot && at.duration(to: last.at) <= PassingLog.handover
    }
}
