package import Consent
import GatewayModel
import Logging
package import OutboxService
package import Vault

/// Reports the end of each grant of the ledger, in the log and to the party that it was given to.
package struct GrantEndReporter: Sendable {
    private let gate: ConsentGate
    private let ledger: LedgerFile
    private let log: Logger
    private let sendReceipt: @Sendable (GrantEnding) -> Void

    /// - Parameter sendReceipt: enqueues the receipt before it returns, under an id that is the same each time: it is called
    ///   before the outbox forgets the grant, and again after a restart where the outbox has not.
    package init(
        _ core: GatewayCore, ledger: LedgerFile, sendReceipt: @escaping @Sendable (GrantEnding) -> Void
    ) {
        (gate, log) = (core.gate, core.log)
        (self.ledger, self.sendReceipt) = (ledger, sendReceipt)
    }

    /// On the outbox's thread.
    package func reportEnd(_ remains: GrantRemains) {
        guard let (grant, entry) = gate.snapshot.ending(of: remains.epoch) else {
            return log.error("a grant has ended that the ledger does not know")
        }
        log.notice(
            "a grant has ended",
            metadata: [
                "how": "\(entry.decision.act.word)", "grant": "\(grant.epoch)",
                "unsent_deleted": "\(remains.purged)",
            ])
        sendReceipt(GrantEnding(grant: grant, entry: entry, remains: remains, mark: ledger.mark))
    }
}
