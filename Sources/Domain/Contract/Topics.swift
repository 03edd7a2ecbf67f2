public import Consent
public import GatewayModel

/// The topics of the TrackMe contract, version 1. Each level is a `Name`, so none can escape its place.
public struct Topics: Hashable, Sendable {
    public let gateway: GatewayID
    /// Level of the gateway: its ID, or a wildcard.
    private let level: String

    public init(gateway: GatewayID) {
        (self.gateway, level) = (gateway, gateway.text)
    }

    private init(level: String) {
        (gateway, self.level) = (.every, level)
    }

    private var root: String { "trackme/v1/\(level)" }

    public var status: String { "\(root)/status" }

    public var heartbeat: String { "\(root)/heartbeat" }

    public func samples(of person: PersonID, _ kind: QuantityKind) -> String {
        "\(root)/samples/\(person)/\(kind.rawValue)"
    }

    /// What one third party may see of a person, and no one else.
    public func samples(of person: PersonID, _ kind: QuantityKind, for recipient: SampleSeries.Recipient)
        -> String
    {
        switch recipient {
        case .cloud: samples(of: person, kind)
        case .party(let party, _): "\(root)/parties/\(party)/\(person)/\(kind.rawValue)"
        }
    }

    /// Where it is said which of those readings are missing.
    public func gaps(of series: SampleSeries) -> String {
        "\(samples(of: series.person, series.kind, for: series.recipient))/gap"
    }

    /// All that a third party may see.
    public func partyFilter(_ party: PartyID) -> String { "\(root)/parties/\(party)/#" }

    /// Who was at a checkpoint of a run, and when.
    public func passings(of run: RunID) -> String { "\(root)/runs/\(run)/passings" }

    /// Where the runners of a run are.
    public func positions(of run: RunID) -> String { "\(root)/runs/\(run)/positions" }

    public func sos(of person: PersonID) -> String { "\(root)/sos/\(person)" }

    /// The calls for help of every person of the house.
    public var callFilter: String { "\(root)/sos/+" }

    /// Where the service that took a call says so; subscribed for every person of the house.
    public var acceptedFilter: String { "\(root)/sos/+/accepted" }

    /// Where signed commands come.
    public var commands: String { "\(root)/commands" }

    /// Where the gateway answers them, and says that a grant has ended.
    public var receipts: String { "\(root)/receipts" }

    /// What the gateway publishes for the cloud, as filters.
    public var cloudFilters: [String] {
        [status, heartbeat, "\(root)/samples/#", "\(root)/runs/#", callFilter, receipts]
    }

    /// All that the gateway publishes: what it must be let write at a broker.
    public var sentFilters: [String] { cloudFilters + ["\(root)/parties/#"] }

    /// All that it may subscribe to: what it must be let read. Commands only where somebody may sign them.
    public var receivedFilters: [String] { [acceptedFilter, commands] }

    /// The same topics of whatever gateways `level` stands for: `+`, or what a broker replaces by a user's name.
    public static func of(level: String) -> Topics { Topics(level: level) }

    /// The person an acceptance speaks of; nil where `topic` is not such a topic of this gateway.
    public func personOfAcceptance(topic: String) -> PersonID? {
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        guard levels.count == 6, levels[5] == "accepted",
            let person = PersonID(String(levels[4])), topic == "\(sos(of: person))/accepted"
        else { return nil }
        return person
    }
}
