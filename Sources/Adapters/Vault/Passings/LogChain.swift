import GatewayModel
import RunBeacon

/// Lines of a log, each with the number after that of the line before it, and with its hash.
struct LogChain: Sendable {
    /// Last line that was taken, and its place in the file.
    var end = PassingLog.End()
    /// Empty if all lines are as the gateway wrote them.
    private(set) var flaws: [PassingLogFlaw] = []
    private var line = 0

    /// Takes the next line, without its line break.
    ///
    /// - Parameter link: number of the line, and the hash that it has of the line before; nil if it is unreadable.
    mutating func take(_ bytes: ArraySlice<UInt8>, link: (seq: Int64, prev: String)?) {
        line += 1
        defer { end.hash = LedgerHash.of(bytes) }
        guard let link else {
            end.seq += 1
            return addUnreadable()
        }
        if link.seq != end.seq + 1 {
            flaws.append(.misnumbered(line: line, saw: link.seq, expected: end.seq + 1))
        } else if link.prev != end.hash {
            flaws.append(.unlinked(line: line))
        }
        end.seq = link.seq
    }

    /// The line that was taken last has a content that is none.
    mutating func addUnreadable() { flaws.append(.unreadable(line: line)) }

    mutating func add(_ flaw: PassingLogFlaw) { flaws.append(flaw) }

    /// Lines count from 0, marks from 1.
    ///
    /// - Parameter mark: mark of the log after its last write. A log that ends before it has lost lines.
    mutating func compare(with mark: StateMarks.Mark?) {
        guard let mark, mark.sequence > 0 else { return }
        let least = mark.sequence - 1
        guard end.seq < least || end.seq == least && end.hash != mark.detail else { return }
        flaws.append(.behind(line: end.seq, ofAtLeast: least))
    }
}
