import GatewayModel
import Systemd

/// The one radio: adapter, discovery and recovery. Pure.
///
/// The radio discovers, or it connects one wearable; never both, since controllers of small computers do badly at
/// that (BlueZ facts, pitfalls 2, 12, 16).
struct RadioControl: Sendable {
    private var adapter: AdapterInUse
    private var discovery: DiscoverySession
    private var recovery: RadioRecovery
    /// The wearable with a Connect under way: one at a time, controllers do not manage two.
    var connecting: DeviceAddress?

    /// - Parameters:
    ///   - adapter: `hci0`, or its address. Nil: the first that is on.
    ///   - mayRestartService: systemd may be asked to restart bluetooth.service.
    init(adapter: String?, mayRestartService: Bool, at now: BootInstant) {
        self.adapter = AdapterInUse(wanted: adapter)
        discovery = DiscoverySession(at: now)
        recovery = RadioRecovery(mayRestartService: mayRestartService, at: now)
    }

    var adapterPath: String? { adapter.path }
    var isSuspecting: Bool { recovery.isSuspecting }
    var discoveryState: DiscoverySession.State { discovery.state }

    var hearsAdverts: Bool {
        get { discovery.hearsAdverts }
        set { discovery.hearsAdverts = newValue }
    }

    /// - Parameter isReady: bluetoothd's objects are loaded.
    func deadlines(isReady: Bool) -> [BootInstant] {
        [isReady ? recovery.deadline : nil, adapter.powerOnAt, discovery.deadline].compactMap(\.self)
    }

    /// Hands an event to the recovery and performs the resulting actions.
    mutating func report(
        at now: BootInstant, _ calls: inout CallQueue, _ event: (inout RadioRecovery) -> [RadioRecovery.Action]
    ) {
        for action in event(&recovery) {
            switch action {
            case .ping: calls.call(.ping)
            case .suspect(let symptom): calls.emit(.suspicion(symptom.advice))
            case .recovered: calls.emit(.suspicion(nil))
            case .refreshDiscovery: attempt(.restartDiscovery, at: now, &calls)
            case .attempt(let stage):
                calls.emit(.recovering(stage))
                attempt(stage, at: now, &calls)
            }
        }
    }

    private mutating func attempt(_ stage: RadioRecovery.Stage, at now: BootInstant, _ calls: inout CallQueue) {
        switch stage {
        case .restartDiscovery: if let path = adapter.path { discovery.stop(on: path, &calls) }
        case .powerCycle: adapter.powerCycle(at: now, &calls)
        case .restartService: calls.call(.restartService)
        }
    }

    /// Notes a stranger's advert, which starts no action.
    mutating func strangerHeard(at now: BootInstant) {
        _ = recovery.adverts(ofStranger: true, at: now)
    }

    mutating func valueArrived(at now: BootInstant) {
        recovery.valueArrived(at: now)
    }

    mutating func announce(_ availability: Availability, _ calls: inout CallQueue) {
        adapter.announce(availability, &calls)
    }

    /// Returns the path of the adapter to use; nil where none is on.
    mutating func usableAdapter(
        among adapters: [String: BlueZObjects.Adapter], at now: BootInstant, _ calls: inout CallQueue
    ) -> String? {
        adapter.choose(among: adapters, &calls) { calls in discovery.forget(at: now, &calls) }
    }

    mutating func powerOnWhenDue(at now: BootInstant, _ calls: inout CallQueue) {
        adapter.powerOnWhenDue(at: now, &calls)
    }

    mutating func powerReplied(_ isOn: Bool, _ error: BusError?, _ calls: inout CallQueue) {
        adapter.powerReplied(isOn, error, &calls)
    }

    // MARK: Discovery

    /// Whether bluetoothd shows that the adapter in use discovers.
    func isDiscovering(_ objects: BlueZObjects) -> Bool {
        adapter.path.flatMap { objects.adapters[$0] }?.isDiscovering ?? false
    }

    mutating func startDiscoveryReplied(
        _ error: BusError?, _ objects: BlueZObjects, at now: BootInstant, _ calls: inout CallQueue,
        jitter: inout Jitter
    ) {
        discovery.startReplied(
            error, isAdapterDiscovering: isDiscovering(objects), at: now, &calls, jitter: &jitter)
    }

    mutating func stopDiscoveryReplied(at now: BootInstant) {
        discovery.stopReplied(at: now)
    }

    mutating func discoveryEnded(at now: BootInstant, jitter: inout Jitter) {
        discovery.ended(at: now, jitter: &jitter)
    }

    /// Gives the radio to a connection or to discovery.
    /// - Parameter next: turn of the wearable to connect, asked for where the radio is free.
    /// - Returns: the index of the wearable to connect now.
    mutating func settle(
        on path: String, _ links: LinkTable, at now: BootInstant, _ calls: inout CallQueue, next: () -> Int?
    ) -> Int? {
        // Also where the adapter never says so: a scan that was refused the radio is begun anew, as a deaf one.
        recovery.listening(discovery.isOn, isAnyLinkUp: links.isAnyUp, at: now)
        guard connecting == nil, !calls.isDisconnecting, !links.isAnyConnecting else { return nil }
        if let index = next() {
            if case .off = discovery.state { return index }
            discovery.stop(on: path, &calls)
        } else if (links.areAllUp && !discovery.hearsAdverts) || discovery.hasOtherFilter {
            discovery.stop(on: path, &calls)
        } else {
            discovery.startWhenDue(on: path, at: now, &calls)
        }
        return nil
    }

    // MARK: Ends

    /// bluetoothd or the bus is gone.
    mutating func startOver(at now: BootInstant) {
        connecting = nil
        adapter.startOver()
        discovery.startOver(at: now)
    }

    /// Leaves the adapter as it was found.
    func stop(_ calls: inout CallQueue) {
        guard let path = adapter.path else { return }
        // Better an adapter that was just switched on than one that stays off for good.
        if adapter.powerOnAt != nil { calls.call(.setPower(of: path, true)) }
        if discovery.state == .on || discovery.state == .starting {
            calls.call(BlueZCall(.stopDiscovery, path))
        }
    }
}
