public import GatewayModel

/// The topics of the home's own dashboard, at its own broker; no part of the TrackMe contract.
///
/// Discovery: `<prefix>/<component>/<node_id>/<object_id>/config`, its levels out of `[a-zA-Z0-9_-]`
/// (home-assistant.io, MQTT integration, "Discovery topic"), which holds of every `Name`.
public struct DashboardTopics: Hashable, Sendable {
    private let gateway: GatewayID
    private let prefix: String

    /// - Parameter prefix: one level, as Home Assistant has it.
    public init(gateway: GatewayID, prefix: String) {
        (self.gateway, self.prefix) = (gateway, prefix)
    }

    /// Unique in an installation of Home Assistant, also with several gateways.
    var node: String { "homegateway_\(gateway)" }

    /// Where an entity is told of, retained.
    public func config(of entity: DashboardEntity) -> String {
        let object = entity.person.map { "\($0)_\(entity.name)" } ?? entity.name
        return "\(prefix)/\(entity.component)/\(node)/\(object)/config"
    }

    /// All of this gateway's entities.
    public var configFilter: String { "\(prefix)/+/\(node)/+/config" }

    /// Where Home Assistant says that it has started, `online` (its birth message).
    public var birth: String { "\(prefix)/status" }

    /// Whether the gateway is there to show anything: `online` or `offline`, retained.
    public var availability: String { "homegateway/\(gateway)/status" }

    public func state(of entity: DashboardEntity) -> String {
        let place = "homegateway/\(gateway)/"
        return place + (entity.person.map { "\($0)/\(entity.name)" } ?? entity.name)
    }

    /// Nil where `topic` tells of no entity of this gateway that this version knows.
    public func entity(ofConfig topic: String) -> DashboardEntity? {
        let object = topic.split(separator: "/").suffix(2).first ?? ""
        let parts = object.split(separator: "_", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = parts.last else { return nil }
        var person: PersonID?
        if parts.count == 2 {
            guard let someone = PersonID(String(parts[0])) else { return nil }
            person = someone
        }
        guard let entity = DashboardEntity(named: String(name), of: person) else { return nil }
        return config(of: entity) == topic ? entity : nil
    }
}
