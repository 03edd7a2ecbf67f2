import GatewayModel
import Systemd

// What happens, one method an event.

extension WearableTracker {
    /// The signals are subscribed to on a new connection.
    mutating func busOpened(at now: BootInstant) -> [Action] {
        event(at: now) { tracker in tracker.load() }
    }

    /// The bus cannot be opened, or the connection has died.
    mutating func busLost(_ error: BusError, at now: BootInstant) -> [Action] {
        event(at: now) { tracker in
            tracker.startOver(reason: "the bus connection was lost", at: now)
            // The bus is the fault then, and it is told by itself.
            tracker.perform(tracker.recovery.startOver(at: now), at: now)
            tracker.phase = .noBus
            tracker.announce(.noBus(tracker.bus, error))
        }
    }

    mutating func nameOwnerChanged(isPresent: Bool, at now: BootInstant) -> [Action] {
        event(at: now) { tracker in
            tracker.startOver(reason: "bluetoothd went away", at: now)
            tracker.perform(tracker.recovery.startOver(at: now), at: now)
            guard !isPresent else { return tracker.load() }
            tracker.announce(.noService)
            tracker.retryLoading(at: now)
        }
    }

    mutating func interfacesAdded(_ path: String, _ interfaces: BlueZInterfaces, at now: BootInstant)
        -> [Action]
    {
        guard phase == .ready else { return [] }
        return event(at: now) { tracker in
            tracker.objects.add(path, interfaces)
            // First: it may be a call for help.
            if let device = interfaces[BlueZ.device], device["RSSI"] != nil {
                tracker.tellAdvert(path, device, at: now)
            }
            tracker.perform(tracker.recovery.answered(at: now), at: now)
            if interfaces[BlueZ.device] != nil { tracker.recognise() }
            if tracker.objects.devices[path]?.hasSignal == true { tracker.advertHeard(path, at: now) }
        }
    }

    mutating func interfacesRemoved(_ path: String, _ interfaces: [String], at now: BootInstant) -> [Action] {
        guard phase == .ready else { return [] }
        return event(at: now) { tracker in tracker.objects.remove(path, interfaces) }
    }

    mutating func propertiesChanged(
        _ path: String, _ interface: String, _ properties: [String: BusValue], invalidated: [String],
        at now: BootInstant
    ) -> [Action] {
        guard phase == .ready else { return [] }
        if interface == BlueZ.characteristic, let bytes = properties["Value"]?.bytes {
            // A new value changes nothing else, so it goes straight on: this is the way to the SOS rules.
            return valueArrived(path, bytes, by: .signals, at: now)
        }
        if interface == BlueZ.device, index(ofDevice: path) == nil, properties["Address"] == nil,
            !recovery.isSuspecting
        {
            // The neighbours' adverts: up to hundreds a second in a block of flats. What they tell is kept, for
            // one that is about to become ours: it may be connected, by who pairs it.
            objects.change(path, interface, properties, invalidated: invalidated)
            _ = recovery.adverts(ofStranger: true, at: now)
            return adverts(path, properties, at: now).map(Action.emit)
        }
        return event(at: now) { tracker in
            if interface == BlueZ.device { tracker.tellAdvert(path, properties, at: now) }
            let wasDiscovering = tracker.isAdapterDiscovering
            tracker.perform(tracker.recovery.answered(at: now), at: now)
            tracker.objects.change(path, interface, properties, invalidated: invalidated)
            if properties["UUIDs"] != nil { tracker.recognise() }
            if properties["RSSI"] != nil { tracker.advertHeard(path, at: now) }
            if properties["Notifying"]?.bool == false { tracker.notifyingEnded(path, at: now) }
            if wasDiscovering, !tracker.isAdapterDiscovering { tracker.discoveryEnded(at: now) }
        }
    }

    mutating func replied(_ id: CallID, _ reply: BusConnection.Reply, at now: BootInstant) -> [Action] {
        guard let pending = pending.removeValue(forKey: id), phase != .stopping else { return [] }
        return event(at: now) { tracker in tracker.handle(reply, to: pending, at: now) }
    }

    /// A packet of a socket that was attached.
    mutating func packetArrived(_ path: String, _ bytes: [UInt8], at now: BootInstant) -> [Action] {
        guard phase == .ready else { return [] }
        return valueArrived(path, bytes, by: .socket, at: now)
    }

    /// bluetoothd has closed a socket: usually the link is about to be told lost.
    mutating func socketEnded(_ path: String, at now: BootInstant) -> [Action] {
        event(at: now) { tracker in tracker.notifyingEnded(path, at: now) }
    }

    mutating func tick(at now: BootInstant) -> [Action] {
        event(at: now) { tracker in
            if case .absent(let retryAt) = tracker.phase, now >= retryAt { tracker.load() }
            // Elsewhere it is absent, or is being asked for its tree, which is as good as a ping.
            if tracker.phase == .ready { tracker.perform(tracker.recovery.tick(at: now), at: now) }
            tracker.powerOnWhenDue(at: now)
        }
    }

    /// Immediate Alert: lets each wearable of the person that is there and can do so buzz or flash.
    mutating func alarm(_ person: PersonID, isOn: Bool, at now: BootInstant) -> [Action] {
        event(at: now) { tracker in tracker.sendAlerts(to: person, isOn: isOn) }
    }

    /// When to call `tick`, unless an event comes first.
    var deadline: BootInstant? {
        var instants = links.flatMap(\.deadlines)
        if phase == .ready, let due = recovery.deadline { instants.append(due) }
        if let powerOnAt { instants.append(powerOnAt) }
        if case .absent(let retryAt) = phase { instants.append(retryAt) }
        if case .off(let notBefore) = discovery { instants.append(notBefore) }
        instants.append(blindNotBefore)
        // What was due when last settled waits for an event, not for time.
        return instants.filter { $0 > settledAt }.min()
    }
}
