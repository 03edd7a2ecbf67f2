public import GatewayModel

/// Readings of one person and kind, for one recipient.
public struct SampleSeries: Hashable, Sendable {
    /// Recipient of the readings.
    public enum Recipient: Hashable, Sendable {
        case cloud
        /// A third party, by one grant.
        case party(PartyID, LedgerSequence)
    }

    public let person: PersonID
    public let kind: QuantityKind
    public let recipient: Recipient

    public init(of person: PersonID, _ kind: QuantityKind, for recipient: Recipient) {
        (self.person, self.kind, self.recipient) = (person, kind, recipient)
    }

    /// Disclosure of a message about them.
    public var disclosure: Disclosure {
        switch recipient {
        case .cloud: .readings(of: person, kind: kind)
        case .party(let party, let epoch): .share(with: party, of: person, kind: kind, epoch: epoch)
        }
    }
}

extension Disclosure {
    /// Series of the readings; nil for other data.
    public var series: SampleSeries? {
        switch self {
        case .readings(let person, let kind): SampleSeries(of: person, kind, for: .cloud)
        case .share(let party, let person, let kind, let epoch):
            SampleSeries(of: person, kind, for: .party(party, epoch))
        case .severalReadings, .emergency, .emergencyOver, .notice, .question, .gateway, .household, .receipt,
            .runner, .dashboard, .dashboardEmptied:
            nil
        }
    }
}
