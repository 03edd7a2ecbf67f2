public import Consent
public import GatewayModel

/// The topics of the TrackMe contract, version 1. Each level is a `Name`, so a name cannot contain further levels or
/// wildcards.
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

    /// Returns the topic of a series. That of a third party cannot be read by others.
    public func samples(of series: SampleSeries) -> String {
        switch series.recipient {
        case .cloud: "\(root)/samples/\(series.person)/\(series.kind.rawValue)"
        case .party(let party, _): share(of: series.person, series.kind, with: party)
        }
    }

    /// Returns the topic of a person's data of one kind for one third party.
    public func share(of person: PersonID, _ kind: DataKind, with party: PartyID) -> String {
        "\(root)/parties/\(party)/\(person)/\(kind.rawValue)"
    }

    /// Returns the topic of reports about missing readings of a series.
    public func gaps(of series: SampleSeries) -> String {
        "\(samples(of: series))/gap"
    }

    /// Returns the filter of all topics that a third party may read.
    public func partyFilter(_ party: PartyID) -> String { "\(root)/parties/\(party)/#" }

    /// Filter of the data for all third parties.
    public var sharedFilter: String { "\(root)/parties/#" }

    /// Returns the topic of the passings at the checkpoints of a run.
    public func passings(of run: RunID) -> String { "\(root)/runs/\(run)/passings" }

    /// Returns the topic of the positions of a run's runners.
    public func positions(of run: RunID) -> String { "\(root)/runs/\(run)/positions" }

    /// Returns the topic of news of a run's runners that are no passings.
    public func runners(of run: RunID) -> String { "\(root)/runs/\(run)/runners" }

    /// Returns the topic of the corrections of a run's results.
    public func corrections(of run: RunID) -> String { "\(root)/runs/\(run)/corrections" }

    public func sos(of person: PersonID) -> String { "\(root)/sos/\(person)" }

    /// Filter of the calls for help of all persons of the house.
    public var callFilter: String { "\(root)/sos/+" }

    /// Returns the topic of news about a person that are no emergency.
    public func notices(of person: PersonID) -> String { "\(root)/notices/\(person)" }

    /// Filter of the acceptances of calls, which are sent by the service that took the call. For all persons of the
    /// house.
    public var acceptedFilter: String { "\(root)/sos/+/accepted" }

    /// Topic of signed commands to the gateway.
    public var commands: String { "\(root)/commands" }

    /// Topic of the signed statuses of an emergency desk.
    public var desk: String { "\(root)/desk" }

    /// Topic of the gateway's answers to commands, and of reports that a grant has ended.
    public var receipts: String { "\(root)/receipts" }

    /// Filters of the topics that the gateway publishes for the cloud.
    public var cloudFilters: [String] {
        [status, heartbeat, "\(root)/samples/#", "\(root)/runs/#", callFilter, "\(root)/notices/+", receipts]
    }

    /// Filters of all topics that the gateway publishes. The broker must permit writing to them.
    public var sentFilters: [String] { cloudFilters + [sharedFilter] }

    /// Filters of all topics that the gateway may subscribe to. The broker must permit reading them. Commands are
    /// subscribed only if a sender is authorised to sign them, and the desk only if the settings name one.
    public var receivedFilters: [String] { [acceptedFilter, commands, desk] }

    /// Returns the topics of all gateways for which `level` stands: `+`, or a placeholder that a broker replaces by a
    /// user's name.
    public static func of(level: String) -> Topics { Topics(level: level) }

    /// Returns the person of an acceptance; nil if `topic` is not such a topic of this gateway.
    public func personOfAcceptance(topic: String) -> PersonID? {
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        guard levels.count == 6, levels[5] == "accepted",
            let person = PersonID(String(levels[4])), topic == "\(sos(of: person))/accepted"
        else { return nil }
        return person
    }
}
