public import CloudCommands
import Contract
public import GatewayModel
public import Logging
public import MQTTBridge
public import ServiceLifecycle

/// Tells each house at intervals, signed, whether somebody is at the desk. A house that is told that nobody is there, or
/// hears nothing, tells its carers; it calls for help in the same way.
public struct DeskStatusService: Service {
    /// Longest wait for the broker: a status is old after a minute, and the next round has a newer one.
    private static let publishLimit = Duration.seconds(10)

    private let hub: DeskHub
    private let signer: IssuerSigner
    private let issuer: IssuerID
    private let interval: Duration
    private let houses: @Sendable () async throws -> [GatewayID]
    private let publish: @Sendable (_ payload: [UInt8], _ topic: String) async throws(PublishFailure) -> Void
    private let clock: @Sendable () -> WallTime
    private let logger: Logger

    /// - Parameters:
    ///   - signer: key of an issuer that the houses have pinned.
    ///   - interval: that of the contract, but in tests.
    ///   - houses: the registered houses.
    ///   - publish: returns when the broker has the message.
    public init(
        hub: DeskHub, signer: IssuerSigner, issuer: IssuerID,
        every interval: Duration = SignedDeskStatus.interval,
        logger: Logger, clock: @escaping @Sendable () -> WallTime,
        houses: @escaping @Sendable () async throws -> [GatewayID],
        publish: @escaping @Sendable (_ payload: [UInt8], _ topic: String) async throws(PublishFailure) -> Void
    ) {
        (self.hub, self.signer, self.issuer, self.interval) = (hub, signer, issuer, interval)
        (self.houses, self.publish, self.clock, self.logger) = (houses, publish, clock, logger)
    }

    public func run() async throws {
        await cancelWhenGracefulShutdown {
            var isRefused = false
            while !Task.isCancelled {
                do {
                    let refusal = try await sendRound()
                    if let refusal, !isRefused {
                        logger.error(
                            "the broker refuses the statuses of the desk; give the server's user the rights of broker-acl --emergency-service",
                            metadata: ["reason": "\(refusal)"])
                    }
                    isRefused = refusal != nil
                } catch is CancellationError {
                    return
                } catch {
                    logger.error("the houses are not told of the desk", metadata: ["error": "\(error)"])
                }
                try? await Task.sleep(for: interval)
            }
        }
    }

    /// One round. It ends where the broker does not answer.
    ///
    /// - Returns: the reason of the broker for refusing a status; nil where it refuses none.
    func sendRound() async throws -> String? {
        var refusal: String?
        for house in try await houses() {
            // Signed when it is sent: a round may take some time.
            guard let isAttended = hub.presence else { return nil }
            let token = try signer.deskStatus(
                isAttended ? .attended : .unattended, from: issuer, to: house, at: clock())
            switch await outcome(of: token, to: Topics(gateway: house).desk) {
            case nil: return refusal
            case .success: break
            case .failure(.refused(let reason)): refusal = reason
            case .failure(let failure): throw failure
            }
        }
        return refusal
    }

    /// Nil after `publishLimit`.
    private func outcome(of token: [UInt8], to topic: String) async -> Result<Void, PublishFailure>? {
        await withTaskGroup(of: Result<Void, PublishFailure>?.self) { group in
            group.addTask { [publish] in
                do throws(PublishFailure) {
                    return .success(try await publish(token, topic))
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                try? await Task.sleep(for: Self.publishLimit)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}
