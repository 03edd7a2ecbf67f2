public import GatewayModel

/// The topics of the TrackMe contract, version 1. Each level is a `Name`, so none can escape its place.
public struct Topics: Hashable, Sendable {
    public let gateway: GatewayID

    public init(gateway: GatewayID) {
        self.gateway = gateway
    }

    private var root: String { "trackme/v1/\(gateway)" }

    public var status: String { "\(root)/status" }

    public var heartbeat: String { "\(root)/heartbeat" }

    public func samples(of person: PersonID, _ kind: QuantityKind) -> String {
        "\(root)/samples/\(person)/\(kind.rawValue)"
    }

    /// Where it is said which of those readings are missing.
    public func gaps(of person: PersonID, _ kind: QuantityKind) -> String { "\(samples(of: person, kind))/gap" }

    public func sos(of person: PersonID) -> String { "\(root)/sos/\(person)" }

    /// The calls for help of every person of the house.
    public var callFilter: String { "\(root)/sos/+" }

    /// Where the service that took a call says so; subscribed for every person of the house.
    public var acceptedFilter: String { "\(root)/sos/+/accepted" }

    /// All that the gateway publishes, as filters: what it must be let write at a broker.
    public var sentFilters: [String] { [status, heartbeat, "\(root)/samples/#", callFilter] }

    /// All that it subscribes to: what it must be let read.
    public var receivedFilters: [String] { [acceptedFilter] }

    /// The same topics of whatever gateways `level` stands for: `+`, or what a broker replaces by a user's name.
    public static func of(level: String) -> Topics { Topics(gateway: GatewayID(checked: level)) }

    /// The person an acceptance speaks of; nil where `topic` is not such a topic of this gateway.
    public func personOfAcceptance(topic: String) -> PersonID? {
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        guard levels.count == 6, levels[5] == "accepted",
            let person = PersonID(String(levels[4])), topic == "\(sos(of: person))/accepted"
        else { return nil }
        return person
    }
}
