import Consent
import GatewayModel

/// Contents of the two files of the ledger, checked line by line. Without I/O.
struct LedgerWalk {
    private(set) var entries: [ConsentEntry] = []
    private(set) var flaws: [LedgerFlaw] = []
    private(set) var gateway: GatewayID?
    private(set) var began: WallTime?
    /// Head of the ledger; nil if nothing was ever written.
    private(set) var head: LedgerHead?
    /// The ledger lacks some of the last lines, which `head` contains: a power cut interrupted their write.
    private(set) var isTailTorn = false

    private var seq: Int64 = -1
    private var hash = LedgerHash.nothing
    private var line = 0

    /// - Parameters: the contents on the disk; nil for a missing file.
    init(ledger: [UInt8]?, head bytes: [UInt8]?) {
        guard ledger != nil || bytes != nil else { return }
        let head = bytes.flatMap(LedgerHead.init)
        if head == nil { flaws.append(bytes == nil ? .noHead : .unreadableHead) }
        self.head = head
        if ledger == nil, let head, head.size > 0 { flaws.append(.noLedger) }
        walk(ledger ?? [], head)
    }

    private mutating func walk(_ ledger: [UInt8], _ head: LedgerHead?) {
        guard let head else {
            // The end is unknown: all lines are read, and a flaw is already recorded.
            return take(ledger[...])
        }
        let stem = ledger.prefix(head.size)
        take(stem)
        if seq < head.seq {
            flaws.append(.short(line: line, ofAtLeast: head.seq + 1))
        } else if seq != head.seq || hash != head.hash {
            flaws.append(.otherEnd(line: line))
        }
        let (tail, expected) = (ledger.dropFirst(stem.count), head.tail)
        isTailTorn = !tail.elementsEqual(expected)
        if isTailTorn, !isTorn(tail, of: expected) {
            flaws.append(.surplus(line: line + 1 + wholeLines(sharedBy: tail, expected)))
            take(tail)
        } else {
            take(expected[...])
        }
    }

    /// Whether `tail` is a prefix of `expected`. Some file systems fill the unwritten rest with zeros after a power
    /// cut.
    private func isTorn(_ tail: ArraySlice<UInt8>, of expected: [UInt8]) -> Bool {
        let written = tail[..<((tail.lastIndex { $0 != 0 } ?? tail.startIndex - 1) + 1)]
        return expected.starts(with: written) && tail.count <= expected.count
    }

    private func wholeLines(sharedBy tail: ArraySlice<UInt8>, _ expected: [UInt8]) -> Int {
        zip(tail, expected).prefix { $0 == $1 }.count { $0.0 == UInt8(ascii: "\n") }
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            take(line: rest[..<end], isWhole: end < rest.endIndex)
            rest = rest[end...].dropFirst()
        }
    }

    private mutating func take(line bytes: ArraySlice<UInt8>, isWhole: Bool) {
        line += 1
        let read = isWhole ? LedgerLine(bytes) : nil
        defer { hash = LedgerHash.of(bytes) }
        guard let read else {
            seq += 1
            return flaws.append(.unreadable(line: line))
        }
        if read.seq != seq + 1 {
            flaws.append(.misnumbered(line: line, saw: read.seq, expected: seq + 1))
        } else if read.prev != hash {
            flaws.append(.unlinked(line: line))
        }
        seq = read.seq
        if read.seq == 0, read.act == LedgerLine.genesis {
            (gateway, began) = (
                read.gateway.flatMap { GatewayID($0) }, WallTime(millisecondsSince1970: read.at)
            )
        } else if let entry = read.entry {
            entries.append(entry)
        } else {
            flaws.append(.unreadable(line: line))
        }
    }
}
