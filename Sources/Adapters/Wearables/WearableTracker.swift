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
        /// The device has taken it.
        case clockTaken(DeviceID)
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
    var indexes: [DeviceAddress: Int] = [:]

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
    /// Until then discovery has the radio: nobody is tried who is not heard.
    var blindNotBefore: BootInstant
    var recovery: RadioRecovery
    /// Switched off by ourselves, to be switched on again then.
    var powerOnAt: BootInstant?
    var pending: [CallID: PendingCall] = [:]
    var jitter: Jitter
    /// BTHome adverts are told, and discovery stays on for them.
    var hearsAdverts = false
    /// Whose wearables are asked where they are.
    var followed: Set<PersonID> = []
    /// The discovery that is on was started so.
    var discoveryTellsRepeats = false
    /// Notifications of a device or characteristic that is none of ours.
    private(set) var ignoredNotifications = 0

    private var lastCall = 0
    var actions: [Action] = []
    var settledAt: BootInstant

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
        blindNotBefore = now
        jitter = Jitter(seed: seed)
        settledAt = now
        add(wearables, at: now)
    }

    mutating func add(_ wearables: [Wearable], at now: BootInstant) {
        for wearable in wearables where !links.contains(where: { $0.wearable.address == wearable.address }) {
            var link = WearableLink(wearable, at: now)
            link.positions.isWanted = followed.contains(wearable.person)
            links.append(link)
        }
        indexes = Dictionary(uniqueKeysWithValues: zip(links.map(\.wearable.address), links.indices))
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

    mutating func valueArrived(
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
}
