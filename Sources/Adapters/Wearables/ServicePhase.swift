import GatewayModel

/// Phase of bluetoothd as the tracker sees it: absent, being loaded, ready. Pure.
struct ServicePhase: Sendable {
    private enum State: Hashable, Sendable {
        case noBus
        /// org.bluez does not answer; asked again then.
        case absent(retryAt: BootInstant)
        /// GetManagedObjects is under way: signals before its reply are older than the reply.
        case loading
        case ready
        case stopping
    }

    private var state = State.noBus
    private var backoff = Backoff.service

    var isReady: Bool { state == .ready }
    var isStopping: Bool { state == .stopping }

    /// When bluetoothd is asked again; nil unless it is absent.
    var retryAt: BootInstant? {
        if case .absent(let retryAt) = state { retryAt } else { nil }
    }

    mutating func load(_ calls: inout CallQueue) {
        state = .loading
        calls.call(.getManagedObjects)
    }

    mutating func loadWhenDue(at now: BootInstant, _ calls: inout CallQueue) {
        if let retryAt, now >= retryAt { load(&calls) }
    }

    mutating func loaded() {
        backoff.reset()
        state = .ready
    }

    mutating func retry(at now: BootInstant, jitter: inout Jitter) {
        state = .absent(retryAt: now.advanced(by: backoff.next(using: &jitter)))
    }

    mutating func busLost() {
        state = .noBus
    }

    /// Nothing is decided any more after this.
    mutating func stop() {
        state = .stopping
    }
}
