/// The number of an entry of the ledger: 1 for the first decision ever taken in the house, and one more each.
public struct LedgerSequence: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let number: Int64

    public init(_ number: Int64) {
        self.number = number
    }

    public static func < (left: LedgerSequence, right: LedgerSequence) -> Bool { left.number < right.number }

    public var next: LedgerSequence { LedgerSequence(number + 1) }
    public var description: String { String(number) }
}

/// One decision in its place in the ledger.
public struct ConsentEntry: Hashable, Sendable {
    public let sequence: LedgerSequence
    public let decision: ConsentDecision

    public init(_ sequence: LedgerSequence, _ decision: ConsentDecision) {
        (self.sequence, self.decision) = (sequence, decision)
    }
}
