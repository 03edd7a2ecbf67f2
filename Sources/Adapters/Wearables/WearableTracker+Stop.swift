import GatewayModel
import Systemd

// The end.

extension WearableTracker {
    /// Asks for a goodbye that leaves bluetoothd as it was found; nothing is decided any more after this.
    mutating func stop() -> [Action] {
        pending = [:]
        for link in links {
            for path in link.notifying { call(.stopNotify(path)) }
            if link.wearable.address == connecting, !link.isUp, let path = shown(link)?.path {
                call(.disconnect(path))
            }
        }
        // Better an adapter that was just switched on than one that stays off for good.
        if powerOnAt != nil, let adapter { call(.setPower(of: adapter, true)) }
        if let adapter, discovery == .on || discovery == .starting { call(BlueZCall(.stopDiscovery, adapter)) }
        phase = .stopping
        defer { actions = [] }
        return actions
    }
}
