public import GatewayModel

/// A copy in the log of its party.
public struct SharedMessage: Hashable, Sendable {
    /// Its place in the log of the party, from 1. Numbers of copies that were erased are missing.
    public let number: Int64
    /// The request of the party that it answers: of one person of one house.
    public let request: RequestID
    public let topic: String
    public let received: WallTime
    /// As the house sent it.
    public let payload: [UInt8]

    public init(number: Int64, request: RequestID, topic: String, received: WallTime, payload: [UInt8]) {
        (self.number, self.request, self.topic) = (number, request, topic)
        (self.received, self.payload) = (received, payload)
    }
}

/// Time for which a copy waits for its party.
public struct SharedRetention: Hashable, Sendable {
    /// Least time from the arrival of a late copy on. It is longer than all retries of a webhook, 83 hours, and than the time
    /// between two polls of a party that polls once a day.
    public static let lateLife = Duration.seconds(4 * 86_400)

    /// Time from the measurement on.
    public let life: Duration

    public init(life: Duration) { self.life = life }

    /// Times of the copies that are erased: those that were measured before the first and came before the second.
    public struct Limits: Hashable, Sendable {
        public let measured, received: WallTime

        public init(measured: WallTime, received: WallTime) {
            (self.measured, self.received) = (measured, received)
        }
    }

    public func limits(at now: WallTime) -> Limits {
        Limits(
            measured: now.advanced(by: .zero - life),
            received: now.advanced(by: .zero - min(Self.lateLife, life)))
    }
}
