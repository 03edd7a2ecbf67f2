import GatewayModel
import Systemd

// bluetoothd itself: loading its object tree, starting over when it goes, and choosing the adapter.

extension WearableTracker {
    mutating func load() {
        phase = .loading
        call(.getManagedObjects)
    }

    mutating func retryLoading(at now: BootInstant) {
        phase = .absent(retryAt: now.advanced(by: serviceBackoff.next(using: &jitter)))
    }

    /// Forgets all that bluetoothd said and all that was asked of it.
    mutating func startOver(reason: String, at now: BootInstant) {
        for index in links.indices {
            let sockets = links[index].subscriptions.filter { $0.way == .socket }
            for socket in sockets { act(.detach(path: socket.path)) }
            perform(links[index].startOver(reason: reason, at: now), for: index, at: now)
        }
        objects = BlueZObjects()
        pending = [:]
        connecting = nil
        adapter = nil
        powerOnAt = nil
        discovery = .off(notBefore: now)
        discoveryBackoff.reset()
        blindNotBefore = now
    }

    mutating func loaded(_ reply: BusConnection.Reply, at now: BootInstant) {
        switch reply {
        case .success(let values):
            serviceBackoff.reset()
            objects = BlueZObjects()
            for (path, interfaces) in BlueZSignal.tree(values) ?? [:] { objects.add(path, interfaces) }
            phase = .ready
            recognise()
            for (path, device) in objects.devices where device.hasSignal { advertHeard(path, at: now) }
        case .failure(let error):
            announce(.notListed(error))
            retryLoading(at: now)
        }
    }

    var isAdapterDiscovering: Bool {
        adapter.flatMap { objects.adapters[$0] }?.isDiscovering ?? false
    }

    /// The adapter to use, where one is there and on. One in use is kept for as long as it is on: the
    /// links are on it.
    mutating func usableAdapter(at now: BootInstant) -> String? {
        let fitting = objects.adapters.filter { isWanted($0.value) }
        let powered = fitting.filter { $0.value.isPowered }
        let chosen =
            adapter.flatMap { powered[$0] == nil ? nil : $0 } ?? powered.keys.min() ?? fitting.keys.min()
        if chosen != adapter || powered.isEmpty { forgetDiscovery(at: now) }
        adapter = chosen
        guard let chosen, let found = fitting[chosen] else {
            announce(.noAdapter(wanted: wantedAdapter, shown: objects.adapters.values.map(\.name).sorted()))
            return nil
        }
        announce(found.isPowered ? .usable(adapter: found.name) : .poweredOff(adapter: found.name))
        return found.isPowered ? chosen : nil
    }

    private func isWanted(_ adapter: BlueZObjects.Adapter) -> Bool {
        guard let wantedAdapter else { return true }
        return adapter.name == wantedAdapter || adapter.address == DeviceAddress(wantedAdapter)
    }
}
