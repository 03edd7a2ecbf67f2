import GatewayModel
import RunBeacon

/// What the log of passings says, line by line. Pure.
struct PassingWalk {
    private(set) var end = PassingLog.End()
    private(set) var records: [RecordedPassing] = []
    /// What is known of the clock, by the start of the machine.
    private(set) var marks: [String: [ClockMark]] = [:]
    private(set) var flaws: [PassingLogFlaw] = []
    /// Bytes behind the last line break.
    private(set) var torn = 0
    /// When the last line was made, and in which start of the machine.
    private(set) var last: (boot: String, at: BootInstant)?
    private(set) var gateways: Set<GatewayID> = []
    /// When each of `records` was written.
    private var written: [(boot: String, at: BootInstant)] = []
    private var line = 0

    init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while let lineEnd = rest.firstIndex(of: UInt8(ascii: "\n")) {
            take(rest[..<lineEnd])
            rest = rest[(lineEnd + 1)...]
        }
        torn = rest.count
        end.size = bytes.count - torn
    }

    /// Passings that may have been written and not yet taken over by the outbox when the gateway ended: they are offered
    /// again, under the ids they have.
    var unsure: [RecordedPassing] {
        guard let last else { return [] }
        return zip(records, written).filter { _, written in
            written.boot == last.boot && written.at.duration(to: last.at) <= PassingLog.handover
        }.map(\.0)
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
        if let mark = read.mark { marks[read.boot, default: []].append(mark) }
        if let record = read.record {
            records.append(record)
            written.append((read.boot, read.at))
        } else if read.what == .passing {
            flaws.append(.unreadable(line: line))
        }
    }
}
