public import GatewayModel

/// A copy in the log of its party.
public struct SharedMessage: Hashable, Sendable {
    /// Its place in the log of the party, from 1. Numbers of copies that were erased are missing.
    public let number: Int64
    public let topic: String
    public let received: WallTime
    /// As the house sent it.
    public let payload: [UInt8]

    public init(number: Int64, topic: String, received: WallTime, payload: [UInt8]) {
        (self.number, self.topic, self.received, self.payload) = (number, topic, received, payload)
    }
}

/// Logs of the copies for third parties.
public protocol SharedStore: Sendable {
    /// Copies of the party after a number, and counts them as read in the same commit. Nothing of a request that is not
    /// accepted, or whose time is over.
    ///
    /// - Parameter bytes: no further copy follows once the payloads have so many.
    func read(
        of party: PartyID, after number: Int64, most: Int, bytes: Int, at now: WallTime
    ) async throws -> [SharedMessage]
    /// Erases the payloads that came before a time, and removes their rows some time later.
    func eraseShared(before time: WallTime) async throws
}
