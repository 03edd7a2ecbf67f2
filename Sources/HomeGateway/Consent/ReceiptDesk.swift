import Consent
import Hub
import OutboxService
import Synchronization

/// Where the end of each grant is told, for whoever makes the receipt of it. From any thread, at once.
///
/// It is called before the outbox forgets what it owes, and again after a restart where that did not happen: the
/// receipt is to be enqueued before `put` returns, under an id that is the same each time.
final class ReceiptDesk: Sendable {
    private let maker = Mutex<(@Sendable (GrantEnding) -> Void)?>(nil)

    /// Until then nobody is told.
    func onEnding(_ handler: @escaping @Sendable (GrantEnding) -> Void) {
        maker.withLock { $0 = handler }
    }

    func put(_ ending: GrantEnding) {
        maker.withLock { $0 }?(ending)
    }
}
