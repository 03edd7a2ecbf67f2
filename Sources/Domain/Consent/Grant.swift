public import GatewayModel

/// What a person has granted a third party, from one entry of the ledger until another.
public struct Grant: Hashable, Sendable {
    public let request: DataRequest
    /// As it seals now: the key may have changed since it asked.
    public let party: ThirdParty
    /// The entry that granted it. Granted again, it is another grant: what waited for the one before stays.
    public let epoch: LedgerSequence
    public let since: WallTime

    init(_ request: DataRequest, to party: ThirdParty, epoch: LedgerSequence, since: WallTime) {
        (self.request, self.party, self.epoch, self.since) = (request, party, epoch, since)
    }

    /// Whether readings may go at this instant. Its end is an entry of the ledger; until that is written, the clock
    /// says so.
    public func isOpen(at wall: WallTime) -> Bool {
        !request.isOver(at: wall) && request.from.map { wall >= $0 } ?? true
    }

    /// Whether it gives this reading. A record that a device had stored before was not granted, unless the request
    /// says since when.
    public func covers(_ reading: Reading) -> Bool {
        guard request.person == reading.person, request.kinds.contains(reading.quantity.kind) else {
            return false
        }
        let earliest = request.from ?? (reading.currency == .history ? since : nil)
        return earliest.map { reading.measured >= $0 } ?? true
    }
}

/// A reading on its way to one third party.
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
