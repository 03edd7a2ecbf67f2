import GatewayModel

/// Makes one connection after the other, as `SessionPolicy` asks for them. Used on the mqtt thread alone.
protocol Connector: AnyObject {
    /// One connection from the first packet to the last.
    func attempt(_ broker: BrokerEndpoint, _ manner: BrokerConnection.Manner) -> Attempt
    /// There is no further attempt.
    func finish()
}

/// How an attempt came out.
struct Attempt: Sendable {
    let ending: Ending
    /// When the broker took the connection; nil where it did not.
    var connectedAt: BootInstant?
}
