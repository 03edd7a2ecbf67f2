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
import Vault

/// Signs receipts and enqueues them. From any thread; does no I/O.
package final class ReceiptSigner: Sendable {
    private let identity: GatewayIdentity
    private let topics: Topics
    private let gate: ConsentGate
    private let queue: OutboundQueue
    private let log: Logger
    /// Receipts for messages that were not accepted as commands: as many as a person makes who tries things out for an
    /// hour, and 500 kB a day at most, all kept.
    static let unowed = RateWindow(limit: 20, interval: .seconds(20 * 60))

    private let limiter = Mutex(ReceiptSigner.unowed)
    /// Receipts with a row that were sent.
    private let sent = Mutex<[MessageID]>([])

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

    /// Signed receipt.
    struct Receipt: Sendable {
        let id: MessageID
        let signed: [UInt8]

        /// Its row until the outbox has it.
        var row: StateRow { StateRow(key: id.description, content: signed) }
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
        guard isOwed || limiter.withLock({ $0.take(at: Clock.boot()) }) else {
            record(outcome, name, isFirst: first == nil)
            return log.notice("a command is not answered: too many of its kind")
        }
        if let receipt = makeReceipt(of: message, from: name, outcome, first: first) { enqueue(receipt) }
    }

    /// Signs the receipt for a message on the topic of commands.
    func makeReceipt(
        of message: [UInt8], from name: CommandName?, _ outcome: CommandJournal.Outcome,
        first: CommandJournal.Outcome? = nil
    ) -> Receipt? {
        record(outcome, name, isFirst: first == nil)
        let now = Clock.wall()
        let told: ReceiptClaims.Outcome =
            first == nil ? outcome.claims : ReceiptClaims.Outcome(.alreadyDone)
        return sign(
            .answer(
                to: name.map {
                    ReceiptClaims.Subject(issuer: $0.issuer.text, id: $0.id, sequence: $0.sequence)
                }, message: CommandVerifier.digest(of: message), told, first: first?.claims,
                id: .random(at: now), at: now, topics: topics))
    }

    /// Sends a receipt that has a row.
    func send(_ receipt: Receipt) {
        enqueue(receipt)
        sent.withLock { $0.append(receipt.id) }
    }

    /// Sends a receipt of an earlier run: the outbox may not have had it. It keeps its ID.
    func sendAgain(_ row: StateRow) {
        guard let id = MessageID(row.key) else { return }
        send(Receipt(id: id, signed: row.content))
    }

    /// Returns the receipts that were sent since the last call and that the outbox has.
    func takeKept() -> [MessageID] {
        sent.withLock { sent in
            guard !sent.isEmpty, queue.undurable == 0 else { return [] }
            defer { sent = [] }
            return sent
        }
    }

    /// Sends the receipt for a grant that has ended. Called before the outbox forgets the grant, and again after a restart
    /// where it has not.
    package func sendEnd(of ending: GrantEnding) {
        send(.ended(ending, at: Clock.wall(), topics: topics), of: ending.grant.request.person)
    }

    /// Sends the receipt for a decision of the ledger, under an ID that is the same each time.
    package func sendDecision(_ answer: Answer, _ mark: LedgerMark) {
        send(.decided(answer, mark, at: Clock.wall(), topics: topics), of: answer.person)
    }

    /// Signs the receipt for the answer to a command that widens limits.
    func makeReceipt(of answer: LimitAnswer) -> Receipt? {
        let now = Clock.wall()
        return sign(.decided(answer, id: .random(at: now), at: now, topics: topics))
    }

    private func send(_ claims: ReceiptClaims, of person: PersonID?) {
        if let receipt = sign(claims) { enqueue(receipt, of: person) }
    }

    private func sign(_ claims: ReceiptClaims) -> Receipt? {
        guard let id = claims.id, let signed = try? identity.sign(claims: claims.json) else {
            log.error("a receipt could not be signed")
            return nil
        }
        return Receipt(id: id, signed: signed)
    }

    private func enqueue(_ receipt: Receipt, of person: PersonID? = nil) {
        let envelope = Envelope.receipt(signed: receipt.signed, id: receipt.id, of: person, topics: topics)
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
        ReceiptClaims.Outcome(
            isWaiting ? .waits : reason == nil ? .done : .refused, reason: reason?.rawValue, detail: detail)
    }
}
