import GatewayModel
import RunBeacon

/// What the log of passings says, line by line. Its memory is that of the passings it is to keep.
struct PassingWalk {
    fileprivate struct Written {
        let record: RecordedPassing
        let boot: String
        let at: BootInstant
    }

    /// A time of day that was known, of one start of the machine.
    struct Dated {
        let time: WallTime
        let boot: String
        let at: BootInstant
    }

    private(set) var end = PassingLog.End()
    private(set) var records: [RecordedPassing] = []
    /// What is known of the clock, by the start of the machine.
    private(set) var marks: [String: [ClockMark]] = [:]
    private(set) var flaws: [PassingLogFlaw] = []
    /// Bytes behind the last line break.
    var torn: Int { begun.count }
    /// When the last line was made, and in which start of the machine.
    private(set) var last: (boot: String, at: BootInstant)?
    private(set) var gateways: Set<GatewayID> = []
    /// The latest time of day that was known.
    private(set) var latest: Dated?
    /// Of each run, the latest time that was told in it.
    private(set) var timed: [RunID: WallTime] = [:]
    /// Those of the last minute, of whichever run.
    private var recent: [Written] = []
    private var line = 0
    /// Of a line whose end has not come yet.
    private var begun: [UInt8] = []
    private let runs: Set<RunID>?

    /// - Parameter runs: whose passings are kept; nil for all.
    init(of path: String, keeping runs: Set<RunID>?) throws(DiskFailure) {
        self.runs = runs
        _ = try DurableFile.read(path) { read($0) }
    }

    /// - Parameter mark: of the log when it was written last.
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

    /// Passings that may have been written and not yet taken over by the outbox when the gateway ended: they are offered
    /// again, under the ids they have.
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
