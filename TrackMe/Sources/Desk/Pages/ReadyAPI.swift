public import GatewayModel
public import WebPages

/// Whether calls for help can reach this server, for a supervisor.
public struct ReadyAPI: Sendable {
    private let hub: DeskHub
    private let clock: @Sendable () -> WallTime

    public init(hub: DeskHub, clock: @escaping @Sendable () -> WallTime) {
        (self.hub, self.clock) = (hub, clock)
    }

    public var routes: [Route] {
        [Route(.get, "/ready", access: .everybody, style: .api) { _ in answer() }]
    }

    private func answer() -> WebAnswer {
        let arrival = hub.arrival
        let age = arrival.age(at: clock()).map { #","newest_message_seconds":\#($0)"# } ?? ""
        return .json(
            Array(
                (#"{"broker":\#(arrival.isBrokerThere == true),"database":\#(arrival.isDatabaseThere)\#(age),"#
                    + #""status":"\#(arrival.isReady ? "ready" : "not-ready")"}"#).utf8),
            status: arrival.isReady ? 200 : 503)
    }
}
