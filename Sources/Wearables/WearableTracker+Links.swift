import GatewayModel
import Systemd

// The wearables: what bluetoothd shows of each, and whose turn it is to be connected.

extension WearableTracker {
    /// Compares what is wanted with what is shown, and asks for what is missing.
    mutating func settle(at now: BootInstant) {
        guard phase == .ready else { return }
        let adapter = usableAdapter(at: now)
        for index in links.indices {
            let view = adapter == nil ? nil : view(of: links[index])
            perform(links[index].settle(view, at: now, jitter: &jitter), for: index)
        }
        if let adapter { settleRadio(on: adapter, at: now) }
    }

    mutating func handle(_ reply: BusConnection.Reply, to pending: PendingCall, at now: BootInstant) {
        let error: BusError? = if case .failure(let error) = reply { error } else { nil }
        switch (pending.call.method, pending.link) {
        case (.getManagedObjects, _): loaded(reply, at: now)
        case (.startDiscovery, _): startDiscoveryReplied(error, at: now)
        case (.stopDiscovery, _): discovery = .off(notBefore: now)
        case (.connect, let index?):
            connecting = nil
            perform(links[index].connectReplied(error, at: now, jitter: &jitter), for: index)
        case (.startNotify, let index?):
            perform(links[index].startNotifyReplied(error, at: now, jitter: &jitter), for: index)
        // Whether a link has ended, `Connected` tells. Without its filter discovery works as well, with
        // fewer signs of adverts.
        default: break
        }
    }

    mutating func advertHeard(_ path: String, at now: BootInstant) {
        if let index = index(ofDevice: path) { links[index].advertHeard(at: now) }
    }

    mutating func notifyingEnded(_ path: String, at now: BootInstant) {
        guard let index = links.firstIndex(where: { $0.notifying == path }) else { return }
        links[index].notifyingEnded(at: now)
    }

    func shown(_ link: WearableLink) -> (path: String, device: BlueZObjects.Device)? {
        adapter.flatMap { objects.device(link.wearable.address, on: $0) }
    }

    private func view(of link: WearableLink) -> WearableLink.View? {
        shown(link).map { path, device in
            WearableLink.View(
                isConnected: device.isConnected, areServicesResolved: device.areServicesResolved,
                characteristic: objects.characteristic(Self.measurement, of: path))
        }
    }

    mutating func perform(_ steps: [WearableLink.Step], for index: Int) {
        let device = links[index].wearable.id
        for step in steps {
            switch step {
            case .connected: emit(.connected(device))
            case .subscribed: emit(.subscribed(device))
            case .disconnected(let reason):
                // Its reply would be taken for that of the next link's subscription.
                pending = pending.filter { $0.value.link != index || $0.value.call.method != .startNotify }
                emit(.disconnected(device, reason: reason))
            case .startNotify(let path): call(.startNotify(path), link: index)
            case .disconnect:
                if let path = shown(links[index])?.path { call(BlueZCall(.disconnect, path), link: index) }
            case .failed(let name, let error, let pause):
                emit(.callFailed(device, call: name, error: error, retryIn: pause))
            }
        }
    }

    /// Whose connection to try now: one that is heard before one that is not, then who waits longest.
    func nextToConnect(at now: BootInstant) -> Int? {
        let due = links.indices.compactMap { index -> (index: Int, isHeard: Bool, since: BootInstant)? in
            guard let since = links[index].dueSince(at: now), shown(links[index]) != nil else { return nil }
            return (index, links[index].isHeard(at: now), since)
        }
        return due.min { left, right in
            left.isHeard == right.isHeard ? left.since < right.since : left.isHeard
        }?.index
    }
}
