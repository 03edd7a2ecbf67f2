import Consent
import GatewayModel
import Hub
import Logging
import OutboxService
import RealTime
import Synchronization
import Vault

// What is decided about a person's data: by the command line, by a signed command, by the clock.
extension Gateway {
    /// Takes a decision and does all that follows from it. From any thread; returns at once.
    ///
    /// It holds from here on, the next byte included. Then it is written down, and only then is deleted what it
    /// ended: a kill in between leaves rows that the next start deletes, not a decision that is forgotten.
    ///
    /// - Parameters:
    ///   - by: who decides, as they named themselves: for the record, and for the settings that say who may.
    ///   - done: called once, on any thread: why nothing was done, or what was.
    func decide(
        _ act: ConsentAct, for person: PersonID, by: String, means: ConsentMeans,
        done: @escaping @Sendable (Result<ConsentOutcome, ConsentLedger.Refusal>) -> Void
    ) {
        let decision = ConsentDecision(act, for: person, by: by, means: means, at: Clock.wall())
        do throws(ConsentLedger.Refusal) {
            try carryOut(decision) { done(.success($0)) }
        } catch {
            done(.failure(error))
        }
    }

    private func carryOut(
        _ decision: ConsentDecision, done: @escaping @Sendable (ConsentOutcome) -> Void
    ) throws(ConsentLedger.Refusal) {
        let entries = try record(decision) { [self] entries, kept in
            guard !entries.isEmpty else {
                return done(ConsentOutcome(entries: [], purged: 0, kept: kept))
            }
            // What is not written down may come back with the next start: its end is told when it is.
            let open = (try? kept.get()).map { gate.snapshot.open(asOf: $0.sequence) }
            outbox.purge(open: open) { purged in
                done(ConsentOutcome(entries: entries, purged: purged, kept: kept))
            }
        }
        guard !entries.isEmpty else { return }
        for entry in entries {
            log.notice(
                "consent",
                metadata: ["entry": "\(entry.sequence)", "act": "\(entry.decision.act.word)"])
        }
        applyConsent()
        announceStatus()
    }

    /// One at a time: entries are written in the order of their numbers.
    private func record(
        _ decision: ConsentDecision,
        kept: @escaping @Sendable ([ConsentEntry], Result<LedgerMark, DiskFailure>) -> Void
    ) throws(ConsentLedger.Refusal) -> [ConsentEntry] {
        try deciding.withLock { _ -> Result<[ConsentEntry], ConsentLedger.Refusal> in
            do throws(ConsentLedger.Refusal) {
                let entries = try gate.record(decision)
                keeper.keep(entries) { kept(entries, $0) }
                return .success(entries)
            } catch {
                return .failure(error)
            }
        }.get()
    }

    /// Writes down what has ended by its time. About once a second.
    func expireGrants(at wall: WallTime, isTimeSure: Bool) {
        for grant in gate.due(at: wall, isTimeSure: isTimeSure) {
            decide(
                .expired(grant.request.id), for: grant.request.person, by: "homegateway", means: .gateway
            ) { [log] result in
                guard case .failure(let refusal) = result else { return }
                log.error("a grant could not be ended", metadata: ["reason": "\(refusal.code.rawValue)"])
            }
        }
    }

    /// On the outbox's thread.
    static func tell(
        _ remains: GrantRemains, by gate: ConsentGate, _ ledger: LedgerFile, to receipts: ReceiptDesk,
        _ log: Logger
    ) {
        guard let (grant, entry) = gate.snapshot.ending(of: remains.epoch) else {
            return log.error("a grant has ended that the ledger does not know")
        }
        log.notice(
            "a grant has ended",
            metadata: [
                "how": "\(entry.decision.act.word)", "grant": "\(grant.epoch)",
                "unsent_deleted": "\(remains.purged)",
            ])
        receipts.put(GrantEnding(grant: grant, entry: entry, remains: remains, mark: ledger.mark))
    }

    /// Opens or closes the way out as a whole. Where nothing is accepted any more it is open for as long as
    /// somebody who was called has to hear that it is over.
    func applyConsent() {
        noteConsent()
        broker.setOpen(gate.isAnythingAccepted || queue.owesLastWord)
    }

    func noteConsent() {
        health.set(HealthCondition(.nothingAccepted), !gate.isAnythingAccepted)
        health.set(HealthCondition(.consentDamaged), gate.awaitsNewWord)
    }
}
