package import Consent
package import GatewayModel
import RealTime
import Synchronization
package import Vault

// The queue as the outbox's thread sees it. Each call holds the lock for an operation in memory.
extension OutboundQueue {
    package var hasUnwritten: Bool { outbox.withLock(\.hasUnwritten) }
    package var isWriteUrgent: Bool { outbox.withLock(\.isWriteUrgent) }
    package var wantsPage: Bool { outbox.withLock(\.wantsPage) }
    package var hasSettled: Bool { outbox.withLock(\.hasSettled) }
    package var hasManySettled: Bool { outbox.withLock(\.hasManySettled) }
    package var isSyncUrgent: Bool { outbox.withLock(\.isSyncUrgent) }
    package var isCrowded: Bool { outbox.withLock(\.isCrowded) }
    /// Places of the rows in memory.
    package var held: Set<Outbox.Place> { outbox.withLock(\.held) }

    package func loaded(alarms: [Outbox.Row], stored: Int, receipts: Int) {
        let now = Clock.boot()
        outbox.withLock { $0.loaded(alarms: alarms, stored: stored, receipts: receipts, at: now) }
        announce(isUrgent: !alarms.isEmpty)
    }

    package func takeChanges(rows limit: Int = .max) -> Outbox.Changes {
        outbox.withLock { $0.takeChanges(rows: limit) }
    }

    package func written(stored: Int) {
        if outbox.withLock({ $0.written(stored: stored) }) { announce() }
    }

    package func notWritten() {
        outbox.withLock { $0.notWritten() }
    }

    package func takeGaps() -> [(gap: SampleGap, series: SampleSeries)] {
        outbox.withLock { $0.takeGaps() }
    }

    /// Messages that the broker has or may have: their places on the disk, and those for third parties by id.
    package var underway: (places: Set<Outbox.Place>, shares: [Disclosure: [MessageID]]) {
        outbox.withLock { ($0.placesOffered, $0.sharesUnderway) }
    }

    /// The last that the broker has by each grant and kind, as far as the disk has yet to be told of it.
    package var sentLately: [LedgerSequence: [DataKind: MessageID]] { outbox.withLock(\.sentLately) }

    package func takePageRequest() -> Outbox.PageRequest? { outbox.withLock { $0.takePageRequest() } }

    package func read(
        _ rows: [Outbox.Row], upTo last: Outbox.Place?, isEnd: Bool, for request: Outbox.PageRequest
    ) {
        let now = Clock.boot()
        outbox.withLock { $0.read(rows, upTo: last, isEnd: isEnd, for: request, at: now) }
        if !rows.isEmpty { announce() }
    }

    package func notRead(_ request: Outbox.PageRequest) {
        outbox.withLock { $0.notRead(request) }
    }

    package func replaced(holding places: Set<Outbox.Place>, stored: Int) {
        outbox.withLock { $0.replaced(holding: places, stored: stored) }
        announce()
    }

    package func late(
        after place: Outbox.Place, arrivedBy instant: BootInstant
    ) -> (rows: [Outbox.Row], first: Outbox.Place, next: BootInstant?) {
        outbox.withLock { $0.late(after: place, arrivedBy: instant) }
    }

    package func diskHolds(_ stored: Int) {
        outbox.withLock { $0.diskHolds(stored) }
    }
}
