import Consent
import GatewayModel
import RealTime
import Synchronization
import Vault

// The queue as the outbox's thread sees it. Each call holds the lock for an operation in memory.
extension OutboundQueue {
    var hasUnwritten: Bool { outbox.withLock(\.hasUnwritten) }
    var isWriteUrgent: Bool { outbox.withLock(\.isWriteUrgent) }
    var wantsPage: Bool { outbox.withLock(\.wantsPage) }
    var hasSettled: Bool { outbox.withLock(\.hasSettled) }
    var hasManySettled: Bool { outbox.withLock(\.hasManySettled) }
    var isSyncUrgent: Bool { outbox.withLock(\.isSyncUrgent) }
    var isCrowded: Bool { outbox.withLock(\.isCrowded) }
    /// What memory knows of.
    var held: Set<Outbox.Place> { outbox.withLock(\.held) }

    func loaded(alarms: [Outbox.Row], stored: Int, receipts: Int) {
        let now = Clock.boot()
        outbox.withLock { $0.loaded(alarms: alarms, stored: stored, receipts: receipts, at: now) }
        announce(isUrgent: !alarms.isEmpty)
    }

    func takeChanges(rows limit: Int = .max) -> Outbox.Changes {
        outbox.withLock { $0.takeChanges(rows: limit) }
    }

    func written(stored: Int) {
        outbox.withLock { $0.written(stored: stored) }
        announce()
    }

    func notWritten() {
        outbox.withLock { $0.notWritten() }
    }

    func takeGaps() -> [(gap: SampleGap, recipient: SampleSeries.Recipient)] {
        outbox.withLock { $0.takeGaps() }
    }

    /// What the broker has or may have: where it may stand on the disk, and what is on its way to third parties.
    var underway: (places: Set<Outbox.Place>, shares: [Disclosure: [MessageID]]) {
        outbox.withLock { ($0.placesOffered, $0.sharesUnderway) }
    }

    /// The last that the broker has by each grant and kind, as far as the disk has yet to be told of it.
    var sentLately: [LedgerSequence: [QuantityKind: MessageID]] { outbox.withLock(\.sentLately) }

    func takePageRequest() -> Outbox.PageRequest? { outbox.withLock { $0.takePageRequest() } }

    func read(
        _ rows: [Outbox.Row], upTo last: Outbox.Place?, isEnd: Bool, for request: Outbox.PageRequest
    ) {
        let now = Clock.boot()
        outbox.withLock { $0.read(rows, upTo: last, isEnd: isEnd, for: request, at: now) }
        if !rows.isEmpty { announce() }
    }

    func notRead(_ request: Outbox.PageRequest) {
        outbox.withLock { $0.notRead(request) }
    }

    func replaced(holding places: Set<Outbox.Place>, stored: Int) {
        outbox.withLock { $0.replaced(holding: places, stored: stored) }
        announce()
    }

    func diskHolds(_ stored: Int) {
        outbox.withLock { $0.diskHolds(stored) }
    }
}
