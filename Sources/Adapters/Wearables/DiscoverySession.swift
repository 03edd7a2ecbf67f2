import GatewayModel
import Systemd

/// Discovery of this gateway at bluetoothd: one session for the adapter in use. Pure.
struct DiscoverySession: Sendable {
    enum State: Hashable, Sendable {
        case off(notBefore: BootInstant)
        case starting, on, stopping
    }

    private(set) var state: State
    private var backoff = Backoff.discovery
    /// The session that is on tells repeated adverts too.
    private var tellsRepeats = false
    /// BTHome adverts are told, and discovery stays on for them.
    var hearsAdverts = false

    init(at now: BootInstant) {
        state = .off(notBefore: now)
    }

    var isOn: Bool { state == .on }

    /// It is ended, and begins anew with the right filter.
    var hasOtherFilter: Bool { isOn && tellsRepeats != hearsAdverts }

    var deadline: BootInstant? {
        if case .off(let notBefore) = state { notBefore } else { nil }
    }

    mutating func startWhenDue(on adapter: String, at now: BootInstant, _ calls: inout CallQueue) {
        guard let deadline, now >= deadline else { return }
        state = .starting
        tellsRepeats = hearsAdverts
        calls.call(.setDiscoveryFilter(adapter, repeats: hearsAdverts))
        calls.call(BlueZCall(.startDiscovery, adapter))
    }

    mutating func stop(on adapter: String, _ calls: inout CallQueue) {
        guard isOn else { return }
        state = .stopping
        calls.call(BlueZCall(.stopDiscovery, adapter))
    }

    mutating func stopReplied(at now: BootInstant) {
        state = .off(notBefore: now)
    }

    /// - Parameter isAdapterDiscovering: as bluetoothd shows it.
    mutating func startReplied(
        _ error: BusError?, isAdapterDiscovering: Bool, at now: BootInstant, _ calls: inout CallQueue,
        jitter: inout Jitter
    ) {
        // InProgress: this connection has its session already, where the adapter discovers. bluetoothd (5.66) says
        // so too where the controller has refused the scan, as it does while somebody else's is being switched on.
        guard let error, !(error.hasName("org.bluez.Error.InProgress") && isAdapterDiscovering) else {
            state = .on
            backoff.reset()
            return
        }
        let pause = backoff.next(using: &jitter)
        state = .off(notBefore: now.advanced(by: pause))
        calls.emitFailure(of: "StartDiscovery", error, retryIn: pause)
    }

    /// The adapter has stopped discovering. On some kernels a scan does not resume by itself (pitfall 3).
    mutating func ended(at now: BootInstant, jitter: inout Jitter) {
        guard isOn else { return }
        state = .off(notBefore: now.advanced(by: backoff.next(using: &jitter)))
    }

    /// The adapter is gone or off, and its session with it.
    mutating func forget(at now: BootInstant, _ calls: inout CallQueue) {
        state = .off(notBefore: now)
        calls.forgetCalls { [.startDiscovery, .stopDiscovery].contains($0.call.method) }
    }

    mutating func startOver(at now: BootInstant) {
        state = .off(notBefore: now)
        backoff.reset()
    }
}
