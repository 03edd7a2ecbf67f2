public import GatewayModel

/// Data of one person and kind, for one recipient.
public struct SampleSeries: Hashable, Sendable {
    /// Recipient of the data.
    public enum Recipient: Hashable, Sendable {
        case cloud
        /// A third party, by one grant.
        case party(PartyID, LedgerSequence)
    }

    public let person: PersonID
    private let content: Content

    /// The cloud gets readings alone.
    private enum Content: Hashable {
        case cloud(QuantityKind)
        case party(PartyID, LedgerSequence, DataKind)
    }

    public init(of person: PersonID, _ kind: QuantityKind, for recipient: Recipient) {
        self.person = person
        switch recipient {
        case .cloud: content = .cloud(kind)
        case .party(let party, let epoch): content = .party(party, epoch, .quantity(kind))
        }
    }

    /// Returns nil for data that the recipient never gets: the cloud gets readings alone.
    public init?(of person: PersonID, data kind: DataKind, for recipient: Recipient) {
        self.person = person
        switch (recipient, kind) {
        case (.cloud, .quantity(let kind)): content = .cloud(kind)
        case (.cloud, .location), (.cloud, .limits), (.cloud, .profile): return nil
        case (.party(let party, let epoch), let kind): content = .party(party, epoch, kind)
        }
    }

    public var kind: DataKind {
        switch content {
        case .cloud(let kind): .quantity(kind)
        case .party(_, _, let kind): kind
        }
    }

    public var recipient: Recipient {
        switch content {
        case .cloud: .cloud
        case .party(let party, let epoch, _): .party(party, epoch)
        }
    }

    /// Disclosure of a message about them.
    public var disclosure: Disclosure {
        switch content {
        case .cloud(let kind): .readings(of: person, kind: kind)
        case .party(let party, let epoch, let kind):
            .share(with: party, of: person, kind: kind, epoch: epoch)
        }
    }
}

extension Disclosure {
    /// Series of the data; nil for a message that belongs to none.
    public var series: SampleSeries? {
        switch self {
        case .readings(let person, let kind): SampleSeries(of: person, kind, for: .cloud)
        case .share(let party, let person, let kind, let epoch):
            SampleSeries(of: person, data: kind, for: .party(party, epoch))
        case .severalReadings, .emergency, .emergencyOver, .notice, .question, .gateway, .household, .receipt,
            .runner, .runnerLeft, .dashboard, .dashboardEmptied:
            nil
        }
    }
}
