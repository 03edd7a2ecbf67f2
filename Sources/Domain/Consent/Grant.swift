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

    /// Returns whether data may leave at this instant. The end of a grant is an entry of the ledger; until it is
    /// written, the clock decides.
    public func isOpen(at wall: WallTime) -> Bool {
        !request.isOver(at: wall) && request.from.map { wall >= $0 } ?? true
    }

    /// Returns whether the grant covers this value. Records from before the grant are not covered, unless the request
    /// names a start.
    public func covers(_ value: some Shareable) -> Bool {
        guard request.person == value.person, request.kinds.contains(value.dataKind) else {
            return false
        }
        let earliest = request.from ?? (value.isStoredRecord ? since : nil)
        return earliest.map { value.measured >= $0 } ?? true
    }
}

/// Value about a person that a third party can get by a grant.
public protocol Shareable: Hashable, Sendable {
    var person: PersonID { get }
    var dataKind: DataKind { get }
    /// When the value held.
    var measured: WallTime { get }
    /// Whether it may be older than its arrival, as a record in the memory of a device.
    var isStoredRecord: Bool { get }
}

extension Reading: Shareable {
    public var dataKind: DataKind { .quantity(quantity.kind) }
    public var isStoredRecord: Bool { currency == .history }
}

extension PositionSample: Shareable {
    public var dataKind: DataKind { .location }
    public var isStoredRecord: Bool { false }
}

extension PersonFact: Shareable {
    public var dataKind: DataKind { kind }
    public var measured: WallTime { time }
    public var isStoredRecord: Bool { false }
}

/// A value for one third party.
public struct Shared<Value: Shareable>: Disclosable, Hashable, Sendable {
    public let value: Value
    public let grant: Grant

    init(_ value: Value, by grant: Grant) {
        (self.value, self.grant) = (value, grant)
    }

    public var disclosure: Disclosure {
        .share(with: grant.party.id, of: value.person, kind: value.dataKind, epoch: grant.epoch)
    }
}
