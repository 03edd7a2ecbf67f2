public import GatewayModel

/// A person's grant to a third party, from one entry of the ledger until another.
public struct Grant: Hashable, Sendable {
    public let request: DataRequest
    /// The party with its present key, which may have changed since the request.
    public let party: ThirdParty
    /// The entry that granted it. A renewed grant has another epoch: messages that waited for the earlier one stay.
    public let epoch: LedgerSequence
    public let since: WallTime

    init(_ request: DataRequest, to party: ThirdParty, epoch: LedgerSequence, since: WallTime) {
        (self.request, self.party, self.epoch, self.since) = (request, party, epoch, since)
    }

    /// Returns whether readings may leave at this instant. The end of a grant is an entry of the ledger; until it is
    /// written, the clock decides.
    public func isOpen(at wall: WallTime) -> Bool {
        !request.isOver(at: wall) && request.from.map { wall >= $0 } ?? true
    }

    /// Returns whether the grant covers this reading. Records that a device had stored before the grant are not
    /// covered, unless the request names a start.
    public func covers(_ reading: Reading) -> Bool {
        guard request.person == reading.person, request.kinds.contains(reading.quantity.kind) else {
            return false
        }
        let earliest = request.from ?? (reading.currency == .history ? since : nil)
        return earliest.map { reading.measured >= $0 } ?? true
    }
}

/// A reading for one third party.
public struct SharedReading: Disclosable, Hashable, Sendable {
    public let reading: Reading
    public let grant: Grant

    init(_ reading: Reading, by grant: Grant) {
        (self.reading, self.grant) = (reading, grant)
    }

    public var disclosure: Disclosure {
        .share(
            with: grant.party.id, of: reading.person, kind: reading.quantity.kind, epoch: grant.epoch)
    }
}
