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

    private var configs: String { "\(prefix)/sensor/\(node)" }

    /// Where an entity is told of, retained.
    public func config(of entity: DashboardEntity) -> String {
        // No name has an underscore.
        "\(configs)/\(entity.person)_\(entity.kind.rawValue)/config"
    }

    /// All of this gateway's entities.
    public var configFilter: String { "\(configs)/+/config" }

    /// Where Home Assistant says that it has started, `online` (its birth message).
    public var birth: String { "\(prefix)/status" }

    /// Whether the gateway is there to show anything: `online` or `offline`, retained.
    public var availability: String { "homegateway/\(gateway)/status" }

    public func state(of entity: DashboardEntity) -> String {
        "homegateway/\(gateway)/\(entity.person)/\(entity.kind.rawValue)"
    }

    /// Nil where `topic` tells of no entity of this gateway.
    public func entity(ofConfig topic: String) -> DashboardEntity? {
        let parts = topic.split(separator: "/").suffix(2).first?.split(separator: "_", maxSplits: 1) ?? []
        guard parts.count == 2, let person = PersonID(String(parts[0])),
            let kind = QuantityKind(rawValue: String(parts[1]))
        else { return nil }
        let entity = DashboardEntity(person: person, kind: kind)
        return config(of: entity) == topic ? entity : nil
    }
}
