public import GatewayModel

/// A sensor that was worn and sent, and has sent nothing for longer than the person's plan allows.
public struct SensorSilence: Hashable, Codable, Sendable {
    public let last: Reading
    public let limit: Duration
    /// When the limit was reached.
    public let arrival: Moment

    /// - Parameter last: the last reading there was.
    public init(last: Reading, limit: Duration) {
        self.last = last
        self.limit = limit
        arrival = last.arrival.advanced(by: limit)
    }
}
