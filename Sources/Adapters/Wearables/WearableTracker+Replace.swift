import GatewayModel
import Systemd

// Wearables that come and go while the gateway runs.

extension WearableTracker {
    /// From now on these and no others. One that stays as it is keeps its link; one whose name, person or
    /// settings changed starts with a new one.
    mutating func replace(_ wearables: [Wearable], at now: BootInstant) -> [Action] {
        event(at: now) { tracker in
            for index in tracker.links.indices.reversed()
            where !wearables.contains(tracker.links[index].wearable) {
                tracker.dismiss(index, at: now)
            }
            tracker.add(wearables, at: now)
            tracker.recognise()
            for (path, device) in tracker.objects.devices where device.hasSignal {
                if let index = tracker.index(ofDevice: path) { tracker.links[index].advertHeard(at: now) }
            }
        }
    }

    private mutating func dismiss(_ index: Int, at now: BootInstant) {
        let link = links[index]
        let address = link.wearable.address
        if link.isUp || link.isConnecting, let path = shown(link)?.path { call(.disconnect(path)) }
        for path in link.notifying { call(.stopNotify(path)) }
        perform(
            links[index].startOver(reason: "it was taken out of the settings", at: now), for: index, at: now)
        for subscription in link.subscriptions where subscription.way == .socket {
            act(.detach(path: subscription.path))
        }
        pending = pending.filter { $0.value.link != address }
        if connecting == address { connecting = nil }
        links.remove(at: index)
        indexes = Dictionary(uniqueKeysWithValues: zip(links.map(\.wearable.address), links.indices))
    }
}
