public import GatewayModel

/// What the outbox knows of a grant that has ended: from now on nothing goes by it.
public struct GrantRemains: Hashable, Sendable {
    public let epoch: LedgerSequence
    /// Unsent messages that were deleted.
    public let purged: Int
    /// The last message of each kind that the broker has acknowledged.
    public let lastSent: [DataKind: MessageID]
    /// Messages that were on their way to the broker: it may have them, or not.
    public let underway: [MessageID]

    public init(
        epoch: LedgerSequence, purged: Int, lastSent: [DataKind: MessageID], underway: [MessageID]
    ) {
        (self.epoch, self.purged, self.lastSent, self.underway) = (epoch, purged, lastSent, underway)
    }
}

/// All that is to be said of a grant that has ended.
public struct GrantEnding: Hashable, Sendable {
    public let grant: Grant
    /// The withdrawal, or the entry that says that its time was over.
    public let entry: ConsentEntry
    public let remains: GrantRemains
    /// Where the ledger ended, that entry included.
    public let mark: LedgerMark

    public init(grant: Grant, entry: ConsentEntry, remains: GrantRemains, mark: LedgerMark) {
        (self.grant, self.entry, self.remains, self.mark) = (grant, entry, remains, mark)
    }
}
