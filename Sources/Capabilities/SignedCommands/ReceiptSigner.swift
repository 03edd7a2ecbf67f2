package import CloudCommands
package import Consent
import Contract
import GatewayModel
import Hub
package import Logging
package import OutboxService
import RealTime
import Settings
import Synchronization

/// Signs receipts and enqueues them. From any thread; does no I/O.
package final class ReceiptSigner: Sendable {
    private let identity: GatewayIdentity
    private let topics: Topics
    private let gate: ConsentGate
    private let queue: OutboundQueue
    private let log: Logger
    private let limiter = Mutex(ReceiptRateLimiter())

    package init(identity: GatewayIdentity, gate: ConsentGate, queue: OutboundQueue, log: Logger) {
        self.identity = identity
        topics = Topics(gateway: identity.gateway)
        (self.gate, self.queue, self.log) = (gate, queue, log)
    }

    /// Signs with the gateway's own key, which it loads or makes. Blocking I/O.
    package convenience init(_ core: GatewayCore) {
        let identity = GatewayIdentity.load(of: core.settings().gateway, core.marks, core.damage)
        self.init(identity: identity, gate: core.gate, queue: core.queue, log: core.log)
    }

    /// Sends the receipt for a message on the topic of commands.
    ///
    /// - Parameters:
    ///   - name: issuer and number of the command; nil where they are not known for sure.
    ///   - first: outcome of the first time, where the command came before.
    ///   - isOwed: the command was accepted, which happens once to each. A receipt is kept until the broker has it, so
    ///     messages that are not accepted, or come again, must not fill the disk with receipts.
    func answer(
        _ message: [UInt8], from name: CommandName?, _ outcome: CommandJournal.Outcome,
        first: CommandJournal.Outcome? = nil, isOwed: Bool = false
    ) {
        record(outcome, name, isFirst: first == nil)
        guard isOwed || limiter.withLock({ $0.takeToken(at: Clock.boot()) }) else {
            return log.notice("a command is not answered: too many of its kind")
        }
        let now = Clock.wall()
        let told: ReceiptClaims.Outcome =
            first == nil ? outcome.claims : ReceiptClaims.Outcome(.alreadyDone)
        send(
            .answer(
                to: name.map {
                    ReceiptClaims.Subject(issuer: $0.issuer.text, id: $0.id, sequence: $0.sequence)
                }, message: CommandVerifier.digest(of: message), told, first: first?.claims,
                id: .random(at: now), at: now, topics: topics), of: nil)
    }

    /// Sends the receipt for a grant that has ended. Called before the outbox forgets the grant, and again after a restart
    /// where it has not.
    package func sendEnd(of ending: GrantEnding) {
        send(.ended(ending, at: Clock.wall(), topics: topics), of: ending.grant.request.person)
    }

    private func send(_ claims: ReceiptClaims, of person: PersonID?) {
        guard let id = claims.id, let signed = try? identity.sign(claims: claims.json) else {
            return log.error("a receipt could not be signed")
        }
        let envelope = Envelope.receipt(signed: signed, id: id, of: person, topics: topics)
        guard let cleared = try? gate.clear(envelope) else { return }
        queue.enqueue(cleared)
    }

    private func record(_ outcome: CommandJournal.Outcome, _ name: CommandName?, isFirst: Bool) {
        var metadata: Logger.Metadata = ["issuer": "\(name?.issuer.text ?? "unknown")"]
        guard let reason = outcome.reason else {
            return log.notice(isFirst ? "command done" : "command came again", metadata: metadata)
        }
        metadata["reason"] = "\(reason.rawValue)"
        log.notice("command refused", metadata: metadata)
    }
}

extension CommandJournal.Outcome {
    fileprivate var claims: ReceiptClaims.Outcome {
        ReceiptClaims.Outcome(reason == nil ? .done : .refused, reason: reason?.rawValue, detail: detail)
    }
}
