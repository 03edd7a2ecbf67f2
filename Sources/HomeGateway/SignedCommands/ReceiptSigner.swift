import CloudCommands
import Consent
import Contract
import GatewayModel
import Hub
import Logging
import OutboxService
import RealTime
import Synchronization

/// Signs receipts and puts them on their way. From any thread; does no I/O.
final class ReceiptSigner: Sendable {
    let identity: GatewayIdentity
    private let topics: Topics
    private let gate: ConsentGate
    private let queue: OutboundQueue
    private let log: Logger
    private let allowance = Mutex(ReceiptAllowance())

    init(identity: GatewayIdentity, gate: ConsentGate, queue: OutboundQueue, log: Logger) {
        self.identity = identity
        topics = Topics(gateway: identity.gateway)
        (self.gate, self.queue, self.log) = (gate, queue, log)
    }

    /// The answer to a message on the topic of commands.
    ///
    /// - Parameters:
    ///   - name: whose command it is; nil where that is not known for sure.
    ///   - first: how it came out the first time, where it came before.
    ///   - isOwed: the command was taken, which happens once to each. An answer is kept until the broker has it, so
    ///     who sends what is not taken, or the same again, however well signed, must not fill the disk with answers.
    func answer(
        _ message: [UInt8], from name: CommandName?, _ outcome: CommandBook.Outcome,
        first: CommandBook.Outcome? = nil, isOwed: Bool = false
    ) {
        note(outcome, name, isFirst: first == nil)
        guard isOwed || allowance.withLock({ $0.take(at: Clock.boot()) }) else {
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

    /// A third party gets nothing more by a grant. Called before that is forgotten, and again where it was not.
    func tell(_ ending: GrantEnding) {
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

    private func note(_ outcome: CommandBook.Outcome, _ name: CommandName?, isFirst: Bool) {
        var metadata: Logger.Metadata = ["issuer": "\(name?.issuer.text ?? "unknown")"]
        guard let reason = outcome.reason else {
            return log.notice(isFirst ? "command done" : "command came again", metadata: metadata)
        }
        metadata["reason"] = "\(reason.rawValue)"
        log.notice("command refused", metadata: metadata)
    }
}

extension CommandBook.Outcome {
    fileprivate var claims: ReceiptClaims.Outcome {
        ReceiptClaims.Outcome(reason == nil ? .done : .refused, reason: reason?.rawValue, detail: detail)
    }
}
