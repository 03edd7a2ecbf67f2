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

    var end: PassingLog.End { chain.end }
    private(set) var records: [RecordedPassing] = []
    /// Clock marks by boot ID of the machine.
    private(set) var marks: [String: [ClockMark]] = [:]
    var flaws: [PassingLogFlaw] { chain.flaws }
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
    private var chain = LogChain()
    /// Bytes of an incomplete line.
    private var begun: [UInt8] = []
    private let runs: Set<RunID>?

    /// - Parameter runs: the passings of these runs are kept; nil for all.
    init(of path: String, keeping runs: Set<RunID>?) throws(DiskFailure) {
        self.runs = runs
        _ = try DurableFile.read(path) { read($0) }
    }

    /// - Parameter mark: mark of the log after the last write.
    mutating func compare(with mark: StateMarks.Mark?) { chain.compare(with: mark) }

    mutating func add(_ flaw: PassingLogFlaw) { chain.add(flaw) }

    private mutating func read(_ piece: ArraySlice<UInt8>) {
        var rest = piece
        while let lineEnd = rest.firstIndex(of: UInt8(ascii: "\n")) {
            begun += rest[..<lineEnd]
            take(begun[...])
            chain.end.size += begun.count + 1
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
        let read = PassingLine(bytes)
        chain.take(bytes, link: read.map { ($0.seq, $0.prev) })
        guard let read else { return }
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
            chain.addUnreadable()
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
