import Consent

/// `ledger.head`: where the ledger ended before the last lines were added, and those lines.
///
/// It is written before them, so it says both how long the ledger is at least, which a cut would show, and what
/// a power cut may have torn, which can then be completed.
struct LedgerHead: Codable, Equatable {
    /// The number of the last line before `next`; -1 where there was none.
    var seq: Int64
    /// Of that line.
    var hash: String
    /// Bytes of the ledger up to its end.
    var size: Int
    /// Without their line breaks.
    var next: [String]

    static let beginning = LedgerHead(seq: -1, hash: LedgerHash.nothing, size: 0, next: [])

    init(seq: Int64, hash: String, size: Int, next: [String]) {
        (self.seq, self.hash, self.size, self.next) = (seq, hash, size, next)
    }

    /// Nil where it is none.
    init?(_ bytes: [UInt8]) {
        guard let head: LedgerHead = JSONLine.read(bytes), head.seq >= -1, head.seq < LedgerLine.longest,
            head.size >= 0, head.size < LedgerLine.longest, !head.next.isEmpty
        else { return nil }
        self = head
    }

    var bytes: [UInt8] { JSONLine.bytes(self) }

    /// What stands in the ledger from `size` on.
    var tail: [UInt8] { next.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] } }

    /// Of the line before `next`.
    var mark: LedgerMark { LedgerMark(sequence: LedgerSequence(max(seq, 0)), hash: hash) }

    /// Where the ledger ends with `next`, as the head of what is added then.
    var end: LedgerHead {
        LedgerHead(
            seq: seq + Int64(next.count), hash: next.last.map { LedgerHash.of($0.utf8) } ?? hash,
            size: size + tail.count, next: [])
    }
}
