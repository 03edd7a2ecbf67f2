import GatewayModel
import Systemd
import WireFormats

/// Decides what to ask of bluetoothd so that each wearable stays connected and subscribed. Pure: one method
/// an event, each given its instant and returning the actions to take in their order.
///
/// Two rules keep it plain. After each event `settle` compares what is wanted with what bluetoothd shows,
/// so no event has to know all that may follow from it. And a reply counts only while its call is in
/// `pending`: starting over forgets them all.
struct WearableTracker: Sendable {
    typealias CallID = Int

    enum Action: Hashable, Sendable {
        /// The reply comes back through `replied` with the same id.
        case call(CallID, BlueZCall)
        case emit(WearableEvent)
        /// A value of a characteristic of a known wearable, not yet decoded.
        case notified(Wearable, BluetoothUUID, [UInt8])
        /// Stored records that were asked for, in the order of the device's memory.
        case records(Wearable, [GlucoseRecordTransfer.Record])
        /// The socket that the values of a characteristic come through.
        case attach(path: String, BusDescriptor)
        case detach(path: String)
        /// The gateway's time is to be written there; the reply comes back like a call's.
        case setClock(CallID, path: String)
        /// A connection has ended or begun: what was read on the last one counts no more.
        case forget(DeviceID)
    }

    enum Phase: Hashable, Sendable {
        case noBus
        /// org.bluez does not answer; asked again then.
        case absent(retryAt: BootInstant)
        /// GetManagedObjects is under way: what comes before its reply is older than the reply.
        case loading
        case ready
        case stopping
    }

    enum Discovery: Hashable, Sendable {
        case off(notBefore: BootInstant)
        case starting, on, stopping
    }

    struct PendingCall: Hashable, Sendable {
        let call: BlueZCall
        /// The wearable it serves; nil for the adapter.
        let link: DeviceAddress?
        let purpose: Purpose

        /// What a reply that does not speak for itself is about.
        enum Purpose: Hashable, Sendable {
            case plain
            case errand(Errands.Errand)
            case alert(Wearable.AlertLevel)
            case power(Bool)
        }
    }

    /// As the settings name it: `hci0`, or its address. Nil: the first that is on.
    let wantedAdapter: String?
    let bus: BusAddress
    private(set) var indexes: [DeviceAddress: Int] = [:]

    var phase = Phase.noBus
    var objects = BlueZObjects()
    var links: [WearableLink]
    /// Path of the adapter in use.
    var adapter: String?
    var availability: Availability?
    var discovery: Discovery
    var discoveryBackoff = Backoff.discovery
    var serviceBackoff = Backoff.service
    /// The wearable whose Connect is under way: one at a time, controllers do not manage two.
    var connecting: DeviceAddress?
    var recovery: RadioRecovery
    /// Switched off by ourselves, to be switched on again then.
    var powerOnAt: BootInstant?
    var pending: [CallID: PendingCall] = [:]
    var jitter: Jitter
    /// BTHome adverts are told, and discovery stays on for them.
    var hearsAdverts = false
    /// The discovery that is on was started so.
    var discoveryTellsRepeats = false
    /// Notifications of a device or characteristic that is none of ours.
    private(set) var ignoredNotifications = 0

    private var lastCall = 0
    private var actions: [Action] = []
    private var settledAt: BootInstant

    /// - Parameters:
    ///   - wearables: of two with the same address, the first is kept.
    ///   - seed: what the pauses between tries are spread by.
    ///   - mayRestartBluetooth: systemd may be asked to restart bluetooth.service.
    init(
        _ wearables: [Wearable], adapter: String?, bus: BusAddress, seed: UInt64,
        mayRestartBluetooth: Bool = false, at now: BootInstant
    ) {
        wantedAdapter = adapter
        self.bus = bus
        links = []
        recovery = RadioRecovery(mayRestartService: mayRestartBluetooth, at: now)
        discovery = .off(notBefore: now)
        jitter = Jitter(seed: seed)
        settledAt = now
        add(wearables, at: now)
    }

    private mutating func add(_ wearables: [Wearable], at now: BootInstant) {
        for wearable in wearables where !links.contains(where: { $0.wearable.address == wearable.address }) {
            links.append(WearableLink(wearable, at: now))
        }
        indexes = Dictionary(uniqueKeysWithValues: zip(links.map(\.wearable.address), links.indices))
    }
}

// MARK: Events

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
            // The neighbours' adverts: up to hundreds a second in a block of flats. Noted all the same: one of
            // them may be the next to be watched, paired and connected by then.
            objects.change(path, interface, properties, invalidated: invalidated)
            _ = recovery.adverts(ofStranger: true, at: now)
            return adverts(path, properties, at: now).map(Action.emit)
        }
        return event(at: now) { tracker in
            if interface == BlueZ.device { tracker.tellAdvert(path, properties, at: now) }
            let wasDiscovering = tracker.isAdapterDiscovering
            tracker.perform(tracker.recovery.answered(at: now), at: now)
            tracker.objects.change(path, interface, properties, invalidated: invalidated)
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

    /// From now on these and no others. One that stays as it is keeps its link; one whose name, person or
    /// settings changed starts with a new one.
    mutating func replace(_ wearables: [Wearable], at now: BootInstant) -> [Action] {
        event(at: now) { tracker in
            for index in tracker.links.indices.reversed()
            where !wearables.contains(tracker.links[index].wearable) {
                tracker.dismiss(index, at: now)
            }
            tracker.add(wearables, at: now)
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

    /// Immediate Alert: lets the wearable buzz or flash, or stops it.
    mutating func alert(_ device: DeviceID, _ level: Wearable.AlertLevel, at now: BootInstant) -> [Action] {
        event(at: now) { tracker in tracker.sendAlert(device, level) }
    }

    /// When to call `tick`, unless an event comes first.
    var deadline: BootInstant? {
        var instants = links.compactMap(\.deadline)
        if phase == .ready, let due = recovery.deadline { instants.append(due) }
        if let powerOnAt { instants.append(powerOnAt) }
        if case .absent(let retryAt) = phase { instants.append(retryAt) }
        if case .off(let notBefore) = discovery { instants.append(notBefore) }
        // What was due when last settled waits for an event, not for time.
        return instants.filter { $0 > settledAt }.min()
    }
}

// MARK: Plumbing

extension WearableTracker {
    mutating func event(at now: BootInstant, _ body: (inout WearableTracker) -> Void) -> [Action] {
        guard phase != .stopping else { return [] }
        body(&self)
        settle(at: now)
        settledAt = now
        defer { actions = [] }
        return actions
    }

    private mutating func valueArrived(
        _ path: String, _ bytes: [UInt8], by way: Subscription.Way, at now: BootInstant
    ) -> [Action] {
        guard let owner = objects.owner(ofCharacteristic: path), let index = index(ofDevice: owner.device),
            let value = links[index].valueArrived(path, by: way, at: now)
        else {
            ignoredNotifications += 1
            return []
        }
        recovery.valueArrived(at: now)
        let wearable = links[index].wearable
        if links[index].isTransferring, WearableLink.isOfTransfer(value.uuid) {
            return event(at: now) { tracker in
                tracker.perform(
                    tracker.links[index].recordArrived(value.uuid, bytes, at: now), for: index, at: now)
            }
        }
        let told = Action.notified(wearable, value.uuid, bytes)
        guard value.wasSuspect, links[index].suspects.isEmpty else { return [told] }
        // First the end of the doubt, so that the value does not arrive in it: a step of microseconds, once.
        return [.emit(.proven(wearable.id)), told]
    }

    func index(ofDevice path: String) -> Int? {
        objects.devices[path]?.address.flatMap { indexes[$0] }
    }

    mutating func call(
        _ call: BlueZCall, link: DeviceAddress? = nil, for purpose: PendingCall.Purpose = .plain
    ) {
        lastCall += 1
        pending[lastCall] = PendingCall(call: call, link: link, purpose: purpose)
        actions.append(.call(lastCall, call))
    }

    /// The bytes are made where the time is known.
    mutating func setClock(_ path: String, link: DeviceAddress, for errand: Errands.Errand) {
        lastCall += 1
        let call = BlueZCall.writeValue(path, [], awaitsResponse: true)
        pending[lastCall] = PendingCall(call: call, link: link, purpose: .errand(errand))
        actions.append(.setClock(lastCall, path: path))
    }

    mutating func act(_ action: Action) {
        actions.append(action)
    }

    mutating func emit(_ event: WearableEvent) {
        actions.append(.emit(event))
    }

    /// Tells of a change, once.
    mutating func announce(_ now: Availability) {
        let before = availability?.kind
        availability = now
        if now.kind != before { emit(.bluetooth(available: now.isUsable, reason: now.reason)) }
    }

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
