/// Where a ledger ended at one moment: whoever holds it can tell whether all up to there is still as it was.
public struct LedgerMark: Hashable, Sendable {
    public let sequence: LedgerSequence
    /// SHA-256 of the last line, in small hexadecimal digits.
    public let hash: String

    public init(sequence: LedgerSequence, hash: String) {
        (self.sequence, self.hash) = (sequence, hash)
    }
}
