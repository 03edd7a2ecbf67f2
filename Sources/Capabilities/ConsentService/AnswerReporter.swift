package import Consent
import GatewayModel
import Hub
import Logging
package import OutboxService
import Synchronization
import Vault

/// Reports each decision of the ledger to the cloud by a receipt, once it is written down.
///
/// The ledger is the list of owed receipts; one row says how far they were handed to the outbox durably. After a kill in
/// between they are sent again under their IDs. While no receipt may leave the house they stay owed.
package final class AnswerReporter: Sendable {
    /// Row: the last reported entry, and its time, which tells this ledger from one that was begun after damage.
    struct Mark: Codable, Hashable, Sendable {
        static let key = "reported"

        let entry: Int64
        /// Milliseconds since 1970.
        let at: Int64

        var change: StateChange { .put(.answerReceipt, Self.key, self) }
    }

    private struct State {
        /// Last entry with a receipt that the outbox has durably.
        var reported: Int64
        /// Last entry with an enqueued receipt.
        var sent: Int64
        /// The end of the written ledger was asked for.
        var isAsking = false
    }

    private let state: Mutex<State>
    private let core: GatewayCore
    private let send: @Sendable (Answer, LedgerMark) -> Void

    /// Blocking I/O.
    ///
    /// - Parameter send: enqueues the receipt before it returns, under an ID that is the same each time.
    package init(_ core: GatewayCore, send: @escaping @Sendable (Answer, LedgerMark) -> Void) {
        let start = Self.start(core)
        state = Mutex(State(reported: start, sent: start))
        (self.core, self.send) = (core, send)
    }

    /// - Returns: 0 where nothing of this ledger was reported.
    private static func start(_ core: GatewayCore) -> Int64 {
        do throws(DiskFailure) {
            guard let mark = try core.database.row(.answerReceipt, key: Mark.key)?.decoded(as: Mark.self),
                let entry = core.gate.snapshot.entries.first(where: { $0.sequence.number == mark.entry }),
                entry.decision.at.millisecondsSince1970 == mark.at
            else { return 0 }
            return mark.entry
        } catch {
            core.log.error(
                "the mark of the reported decisions cannot be read, and all are reported again",
                metadata: ["reason": "\(error)"])
            return 0
        }
    }

    /// Sends the owed receipts, and marks those that the outbox has. Call about once a second.
    func look() {
        keepMark()
        let last = core.gate.snapshot.entries.last?.sequence.number ?? 0
        let isDue = state.withLock { state in
            guard last > state.sent, !state.isAsking, core.gate.mayAnswer else { return false }
            state.isAsking = true
            return true
        }
        guard isDue else { return }
        // Only an entry that is written down is reported: another may be gone with the next start.
        core.writer.keep([]) { [self] result in
            if let mark = try? result.get() { report(upTo: mark) }
            state.withLock { $0.isAsking = false }
        }
    }

    private func report(upTo mark: LedgerMark) {
        let first = LedgerSequence(state.withLock(\.sent)).next
        for answer in core.gate.snapshot.answers(from: first, through: mark.sequence) { send(answer, mark) }
        state.withLock { $0.sent = max($0.sent, mark.sequence.number) }
    }

    /// Writes how far the receipts are durable. Call it also at the end of the gateway.
    package func keepMark() {
        // Read first: a receipt that is enqueued in between is not among those.
        let sent = state.withLock(\.sent)
        guard sent > state.withLock(\.reported), core.queue.undurable == 0,
            let entry = core.gate.snapshot.entries.first(where: { $0.sequence.number == sent })
        else { return }
        state.withLock { $0.reported = sent }
        core.writer.put([Mark(entry: sent, at: entry.decision.at.millisecondsSince1970).change])
    }
}
