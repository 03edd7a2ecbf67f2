import GatewayModel
import Systemd

// The one radio: it discovers, or it connects one wearable; never both, since controllers of small
// computers do badly at that (BlueZ facts, pitfalls 2, 12, 16).

extension WearableTracker {
    mutating func settleRadio(on adapter: String, at now: BootInstant) {
        // Also where the adapter never says so: a scan that was refused the radio is begun anew, as a deaf one.
        recovery.listening(discovery == .on, isAnyLinkUp: links.contains(where: \.isUp), at: now)
        guard connecting == nil, !isDisconnecting, !links.contains(where: \.isConnecting) else { return }
        if let index = nextToConnect(at: now) {
            connectWhenQuiet(index, on: adapter, at: now)
        } else if (links.allSatisfy(\.isUp) && !hearsAdverts) || hasOtherFilter {
            stopDiscovery(on: adapter)
        } else if case .off(let notBefore) = discovery, now >= notBefore {
            discovery = .starting
            discoveryTellsRepeats = hearsAdverts
            call(.setDiscoveryFilter(adapter, repeats: hearsAdverts))
            call(BlueZCall(.startDiscovery, adapter))
        }
    }

    /// It is ended, and begins anew when it is.
    private var hasOtherFilter: Bool { discovery == .on && discoveryTellsRepeats != hearsAdverts }

    /// A Disconnect that cancels a pending Connect shuts its socket, but bluetoothd (seen with 5.66) keeps
    /// polling the descriptor until its next turn. A Connect of another wearable in the same turn gets
    /// that very descriptor, and both are taken for connected on it: each then has half of the other's
    /// notifications, one person's heart rate under the name of another. The reply comes after the turn.
    private var isDisconnecting: Bool {
        pending.values.contains { $0.call.method == .disconnect }
    }

    private mutating func connectWhenQuiet(_ index: Int, on adapter: String, at now: BootInstant) {
        guard case .off = discovery else { return stopDiscovery(on: adapter) }
        guard let path = shown(links[index])?.path else { return }
        let connect = BlueZCall.connect(path, seen: links[index].isHeard(at: now))
        links[index].connectSent(limit: connect.timeout, at: now)
        connecting = links[index].wearable.address
        call(connect, link: connecting)
    }

    private mutating func stopDiscovery(on adapter: String) {
        guard discovery == .on else { return }
        discovery = .stopping
        call(BlueZCall(.stopDiscovery, adapter))
    }

    mutating func startDiscoveryReplied(_ error: BusError?, at now: BootInstant) {
        // InProgress: this connection has its session already, where the adapter discovers. bluetoothd (5.66) says
        // so too where the controller has refused the scan, as it does while somebody else's is being switched on.
        guard let error, !(error.hasName("org.bluez.Error.InProgress") && isAdapterDiscovering) else {
            discovery = .on
            discoveryBackoff.reset()
            return
        }
        let pause = discoveryBackoff.next(using: &jitter)
        discovery = .off(notBefore: now.advanced(by: pause))
        emit(
            .callFailed(
                nil, call: "StartDiscovery", error: error.description, kind: CallFailure(error), retryIn: pause)
        )
    }

    /// On some kernels a scan does not resume by itself (pitfall 3).
    mutating func discoveryEnded(at now: BootInstant) {
        guard discovery == .on else { return }
        discovery = .off(notBefore: now.advanced(by: discoveryBackoff.next(using: &jitter)))
    }

    /// The adapter is gone or off, and its session with it.
    mutating func forgetDiscovery(at now: BootInstant) {
        discovery = .off(notBefore: now)
        pending = pending.filter { ![.startDiscovery, .stopDiscovery].contains($0.value.call.method) }
    }
}
