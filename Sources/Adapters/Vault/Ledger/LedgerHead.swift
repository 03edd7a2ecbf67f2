import Consent

/// `ledger.head`: the end of the ledger before the last lines were added, and those lines.
///
/// It is written before them. It thus records a minimum length of the ledger, which reveals a truncation, and the lines
/// that a power cut may have torn, which can then be completed.
struct LedgerHead: Codable, Equatable {
    /// Number of the last line before `next`; -1 if there was none.
    var seq: Int64
    /// Hash of that line.
    var hash: String
    /// Bytes of the ledger up to the end of that line.
    var size: Int
    /// The last lines, without their line breaks.
    var next: [String]

    static let beginning = LedgerHead(seq: -1, hash: LedgerHash.nothing, size: 0, next: [])

    init(seq: Int64, hash: String, size: Int, next: [String]) {
        (self.seq, self.hash, self.size, self.next) = (seq, hash, size, next)
    }

    /// Returns nil if the bytes are not a valid head.
    init?(_ bytes: [UInt8]) {
        guard let head: LedgerHead = JSONLine.read(bytes), head.seq >= -1, head.seq < LedgerLine.longest,
            head.size >= 0, head.size < LedgerLine.longest, !head.next.isEmpty
        else { return nil }
        self = head
    }

    var bytes: [UInt8] { JSONLine.bytes(self) }

    /// Bytes of the ledger from `size` on.
    var tail: [UInt8] { next.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] } }

    /// Mark of the line before `next`.
    var mark: LedgerMark { LedgerMark(sequence: LedgerSequence(max(seq, 0)), hash: hash) }

    /// Head for the lines that follow `next`.
    var end: LedgerHead {
        LedgerHead(
            seq: seq + Int64(next.count), hash: next.last.map { LedgerHash.of($0.utf8) } ?? hash,
            size: size + tail.count, next: [])
    }
}
