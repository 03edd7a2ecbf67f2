public import GatewayModel
public import Parties

/// Copies of one POST to an endpoint.
public struct SubscriptionBatch: Hashable, Sendable {
    public let subscription: Subscription
    /// In the order of their numbers, not empty.
    public let messages: [SharedMessage]

    public init(subscription: Subscription, messages: [SharedMessage]) {
        (self.subscription, self.messages) = (subscription, messages)
    }
}

/// Webhooks of third parties.
public protocol SubscriptionStore: Sendable {
    /// Keeps a subscription to the copies after a number.
    ///
    /// - Throws: `StoreFault.tooManySubscriptions`.
    func subscribe(
        _ party: PartyID, url: String, after number: Int64, at now: WallTime
    ) async throws -> Subscription
    /// Newest first.
    func subscriptions(of party: PartyID) async throws -> [Subscription]
    func subscription(_ id: SubscriptionID, of party: PartyID) async throws -> Subscription?
    /// Suspended subscriptions of all parties that are not closed, the longest suspended first.
    func suspended(most: Int) async throws -> [Subscription]
    /// Changes a subscription in one commit. Nil for an unknown one.
    ///
    /// - Parameter change: returns whether it changed something.
    func change(
        _ id: SubscriptionID, of party: PartyID, _ change: @escaping @Sendable (inout Subscription) -> Bool
    ) async throws -> (subscription: Subscription, isChanged: Bool)?
    /// Active subscriptions of approved parties whose time has come and that have something to send, the longest due first.
    func due(at now: WallTime, most: Int) async throws -> [Subscription]
    /// The batch of the next attempt, fixed by the same commit. Nil where there is nothing to send any more.
    func nextBatch(of id: SubscriptionID, most: Int, bytes: Int, at now: WallTime) async throws
        -> SubscriptionBatch?
    /// Whether each copy of the batch may still be handed out.
    func isWhole(_ batch: SubscriptionBatch, at now: WallTime) async throws -> Bool
}
