import Background
public import CloudCommands
import Contract
public import GatewayModel
public import Logging
public import MQTTBridge
public import ServiceLifecycle

/// Sends the signed acceptances of the outbox, each until the broker has it. A kill at any point loses none: an acceptance
/// is in the outbox from the transaction of its taking to the broker's acknowledgement, and one too many is harmless.
public struct AcceptanceService: Service {
    /// Acceptances of one round.
    private static let most = 50
    /// Interval of rounds without a signal, for acceptances that were refused.
    private static let interval = Duration.seconds(1)
    /// Time after which a refused acceptance is offered again: only a person can give the right at the broker.
    private static let refusedWait: Int64 = 10_000

    private let store: DeskStore
    private let hub: DeskHub
    private let signer: IssuerSigner
    private let issuer: IssuerID
    private let publish: @Sendable (_ payload: [UInt8], _ topic: String) async throws(PublishFailure) -> Void
    private let clock: @Sendable () -> WallTime
    private let logger: Logger

    /// - Parameters:
    ///   - signer: key of an issuer that the houses have pinned, with the right to accept.
    ///   - publish: returns when the broker has the message.
    public init(
        store: DeskStore, hub: DeskHub, signer: IssuerSigner, issuer: IssuerID, logger: Logger,
        clock: @escaping @Sendable () -> WallTime,
        publish: @escaping @Sendable (_ payload: [UInt8], _ topic: String) async throws(PublishFailure) -> Void
    ) {
        (self.store, self.hub, self.signer, self.issuer) = (store, hub, signer, issuer)
        (self.logger, self.clock, self.publish) = (logger, clock, publish)
    }

    public func run() async throws {
        await Rounds(every: Self.interval, "acceptances are not sent", logger: logger)
            .run(on: hub.signals(), sendDue)
    }

    /// One round.
    public func sendDue() async throws {
        for acceptance in try await store.dueAcceptances(at: clock(), most: Self.most) {
            let token = try signer.accept(
                acceptance.call.alarm, of: acceptance.person, by: acceptance.by.name, from: issuer,
                to: acceptance.call.gateway, at: acceptance.taken)
            let topic = "\(Topics(gateway: acceptance.call.gateway).sos(of: acceptance.person))/accepted"
            do throws(PublishFailure) {
                try await publish(token, topic)
            } catch {
                guard case .refused(let reason) = error else { throw error }
                logger.error(
                    "the broker refuses an acceptance; give the server's user the rights of broker-acl --emergency-service",
                    metadata: ["reason": "\(reason)"])
                let now = clock()
                try await store.markRefused(
                    acceptance, reason: reason, at: now,
                    next: WallTime(millisecondsSince1970: now.millisecondsSince1970 + Self.refusedWait))
                hub.changed()
                continue
            }
            try await store.markDelivered(acceptance, at: clock())
            hub.changed()
        }
    }
}
