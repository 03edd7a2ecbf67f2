public import GatewayModel
public import Logging
public import ServiceLifecycle
import Store
import Synchronization

/// Sends the copies to the endpoints of third parties. Each subscription has an attempt of its own, so that a slow
/// endpoint delays no other one.
public final class WebhookLoop: Service {
    private static let roundInterval = Duration.milliseconds(500)
    /// Interval at which a running attempt asks whether its grants still hold. The last byte leaves within a second of the
    /// receipt.
    private static let checkInterval = Duration.milliseconds(400)
    /// Attempts under way. An endpoint that hangs holds its place for the 15 seconds of an attempt, and then waits.
    static let mostUnderWay = 64
    /// Copies and bytes of one POST.
    private static let (mostMessages, mostBytes) = (100, 262_144)

    private let subscriptions: SubscriptionStore
    private let transport: any WebhookTransport
    private let signer: WebhookSigner
    private let logger: Logger
    private let clock: @Sendable () -> WallTime
    private let underWay = Mutex<Set<SubscriptionID>>([])

    public init(
        subscriptions: SubscriptionStore, transport: any WebhookTransport, signer: WebhookSigner,
        logger: Logger, clock: @escaping @Sendable () -> WallTime
    ) {
        (self.subscriptions, self.transport, self.signer) = (subscriptions, transport, signer)
        (self.logger, self.clock) = (logger, clock)
    }

    public func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                while !Task.isCancelled {
                    for subscription in await self.due() {
                        group.addTask { await self.attempt(subscription) }
                    }
                    try? await Task.sleep(for: Self.roundInterval)
                }
            }
        }
    }

    /// Subscriptions to attempt now. Each is marked as under way.
    private func due() async -> [Subscription] {
        do {
            let due = try await subscriptions.due(at: clock(), most: 2 * Self.mostUnderWay)
            return underWay.withLock { underWay in
                due.filter { underWay.count < Self.mostUnderWay && underWay.insert($0.id).inserted }
            }
        } catch is CancellationError {
            return []
        } catch {
            logger.error("subscriptions cannot be read", metadata: ["error": "\(error)"])
            return []
        }
    }

    private func attempt(_ subscription: Subscription) async {
        defer { underWay.withLock { _ = $0.remove(subscription.id) } }
        do {
            try await deliver(subscription)
        } catch is CancellationError {
        } catch {
            logger.error(
                "a webhook is not sent", metadata: ["party": "\(subscription.party)", "error": "\(error)"])
        }
    }

    private func deliver(_ subscription: Subscription) async throws {
        guard
            let batch = try await subscriptions.nextBatch(
                of: subscription.id, most: Self.mostMessages, bytes: Self.mostBytes, at: clock())
        else { return }
        let message = WebhookMessage(batch, at: clock())
        let headers = try signer.headers(of: message.id, body: message.body, at: clock())
        // Nil where a grant has ended meanwhile: the batch is not repeated, the next one is without it.
        guard let outcome = try await outcome(of: message, headers, batch), !Task.isCancelled else { return }
        let (now, chance) = (clock(), Double.random(in: 0...1))
        let changed = try await subscriptions.change(subscription.id, of: subscription.party) { kept in
            // A replay that came meanwhile holds.
            guard kept.pending == batch.subscription.pending else { return false }
            kept.apply(outcome, chance: chance, at: now)
            return true
        }
        if let kept = changed?.subscription, kept.state != .active {
            logger.warning(
                "a webhook is not sent any more",
                metadata: [
                    "party": "\(kept.party)", "subscription": "\(kept.id)", "state": "\(kept.state)",
                    "status": "\(kept.lastStatus ?? 0)",
                ])
        }
    }

    private func outcome(
        of message: WebhookMessage, _ headers: [(name: String, value: String)], _ batch: SubscriptionBatch
    ) async throws -> Subscription.Outcome? {
        try await withThrowingTaskGroup(of: Subscription.Outcome?.self) { group in
            group.addTask {
                await self.transport.post(message.body, headers: headers, to: batch.subscription.url)
            }
            group.addTask {
                while try await self.subscriptions.isWhole(batch, at: self.clock()) {
                    try await Task.sleep(for: Self.checkInterval)
                }
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}
