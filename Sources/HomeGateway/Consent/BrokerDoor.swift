import Hub
import Synchronization

/// Whether there is to be a connection to the broker at all, from whoever knows to whoever makes it. From any
/// thread, at once.
final class BrokerDoor: Sendable {
    private let broker = Mutex<(@Sendable (_ isOpen: Bool) -> Void)?>(nil)
    private let renewal = Mutex<(@Sendable () -> Void)?>(nil)

    /// Until then nobody is told.
    func onChange(_ handler: @escaping @Sendable (_ isOpen: Bool) -> Void) {
        broker.withLock { $0 = handler }
    }

    /// Until then nobody is told.
    func onRenewal(_ handler: @escaping @Sendable () -> Void) {
        renewal.withLock { $0 = handler }
    }

    /// Its settings have changed.
    func renewSession() {
        renewal.withLock { $0 }?()
    }

    func set(open isOpen: Bool) {
        broker.withLock { $0 }?(isOpen)
    }
}
