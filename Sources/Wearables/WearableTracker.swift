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
        /// Index of the wearable it serves; nil for the adapter.
        let link: Int?
    }

    /// As the settings name it: `hci0`, or its address. Nil: the first that is on.
    let wantedAdapter: String?
    let bus: BusAddress
    let indexes: [DeviceAddress: Int]

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
    var connecting: Int?
    var pending: [CallID: PendingCall] = [:]
    var jitter: Jitter
    /// Notifications of a device or characteristic that is none of ours.
    private(set) var ignoredNotifications = 0

    private var lastCall = 0
    private var actions: [Action] = []
    private var settledAt: BootInstant

    /// - Parameters:
    ///   - wearables: of two with the same address, the first is kept.
    ///   - seed: what the pauses between tries are spread by.
    init(_ wearables: [Wearable], adapter: String?, bus: BusAddress, seed: UInt64, at now: BootInstant) {
        wantedAdapter = adapter
        self.bus = bus
        links = wearables.map { WearableLink($0, at: now) }
        indexes = Dictionary(zip(wearables.map(\.address), wearables.indices)) { first, _ in first }
        discovery = .off(notBefore: now)
        jitter = Jitter(seed: seed)
        settledAt = now
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
            tracker.phase = .noBus
            tracker.announce(.noBus(tracker.bus, error))
        }
    }

    mutating func nameOwnerChanged(isPresent: Bool, at now: BootInstant) -> [Action] {
        event(at: now) { tracker in
            tracker.startOver(reason: "bluetoothd went away", at: now)
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
            return notified(path, bytes)
        }
        if interface == BlueZ.device, index(ofDevice: path) == nil, properties["Address"] == nil {
            // The neighbours' adverts: up to hundreds a second in a block of flats.
            return []
        }
        return event(at: now) { tracker in
            let wasDiscovering = tracker.isAdapterDiscovering
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

    mutating func tick(at now: BootInstant) -> [Action] {
        event(at: now) { tracker in
            if case .absent(let retryAt) = tracker.phase, now >= retryAt { tracker.load() }
        }
    }

    /// When to call `tick`, unless an event comes first.
    var deadline: BootInstant? {
        var instants = links.compactMap(\.deadline)
        if case .absent(let retryAt) = phase { instants.append(retryAt) }
        if case .off(let notBefore) = discovery { instants.append(notBefore) }
        // What was due when last settled waits for an event, not for time.
        return instants.filter { $0 > settledAt }.min()
    }
}

// MARK: Plumbing

extension WearableTracker {
    private mutating func event(at now: BootInstant, _ body: (inout WearableTracker) -> Void) -> [Action] {
        guard phase != .stopping else { return [] }
        body(&self)
        settle(at: now)
        settledAt = now
        defer { actions = [] }
        return actions
    }

    private mutating func notified(_ path: String, _ bytes: [UInt8]) -> [Action] {
        guard let owner = objects.owner(ofCharacteristic: path), owner.uuid == Self.measurement,
            let index = index(ofDevice: owner.device)
        else {
            ignoredNotifications += 1
            return []
        }
        return [.notified(links[index].wearable, owner.uuid, bytes)]
    }

    /// The characteristic that wearables are subscribed to.
    static let measurement = BluetoothUUID.heartRateMeasurement

    func index(ofDevice path: String) -> Int? {
        objects.devices[path]?.address.flatMap { indexes[$0] }
    }

    mutating func call(_ call: BlueZCall, link: Int? = nil) {
        lastCall += 1
        pending[lastCall] = PendingCall(call: call, link: link)
        actions.append(.call(lastCall, call))
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
        for (index, link) in links.enumerated() {
            if let path = link.notifying { call(BlueZCall(.stopNotify, path), link: index) }
            if index == connecting, !link.isUp, let path = shown(link)?.path {
                call(BlueZCall(.disconnect, path), link: index)
            }
        }
        if let adapter, discovery == .on || discovery == .starting { call(BlueZCall(.stopDiscovery, adapter)) }
        phase = .stopping
        defer { actions = [] }
        return actions
    }
}
