import GatewayModel
import Systemd
import WireFormats

/// Decides on the calls to bluetoothd that keep each wearable connected and subscribed. Pure: one method per event,
/// with its instant. Each returns the actions to take in their order.
///
/// After each event `settle` compares the wanted state with bluetoothd's, so no event has to know all its
/// consequences. A reply counts only while its call is pending.
struct WearableTracker: Sendable {
    typealias Action = CallQueue.Action
    typealias CallID = CallQueue.ID

    private let bus: BusAddress
    private var phase = ServicePhase()
    private(set) var objects = BlueZObjects()
    private var links: LinkTable
    private var radio: RadioControl
    private var calls = CallQueue()
    private var buzzes = BuzzSchedule()
    private var jitter: Jitter
    private var settledAt: BootInstant

    /// - Parameters:
    ///   - wearables: of two with the same address, the first is kept.
    ///   - adapter: `hci0`, or its address. Nil: the first that is on.
    ///   - seed: spreads the pauses between tries.
    ///   - mayRestartBluetooth: systemd may be asked to restart bluetooth.service.
    init(
        _ wearables: [Wearable], adapter: String?, bus: BusAddress, seed: UInt64,
        mayRestartBluetooth: Bool = false, at now: BootInstant
    ) {
        self.bus = bus
        links = LinkTable(wearables, at: now)
        radio = RadioControl(adapter: adapter, mayRestartService: mayRestartBluetooth, at: now)
        jitter = Jitter(seed: seed)
        settledAt = now
    }

    var isAwaitingReply: Bool { !calls.isEmpty }
    var discoveryState: DiscoverySession.State { radio.discoveryState }

    /// When to call `tick`, unless an event comes first.
    var deadline: BootInstant? {
        let instants =
            links.deadlines + radio.deadlines(isReady: phase.isReady)
            + [phase.retryAt, buzzes.deadline].compactMap(\.self)
        // An instant before the last settling waits for an event, not for time.
        return instants.filter { $0 > settledAt }.min()
    }

    // MARK: Requests

    /// Replaces the wearables. One that stays as it is keeps its link; one with another name, person or settings
    /// starts with a new one.
    mutating func replace(_ wearables: [Wearable], at now: BootInstant) -> [Action] {
        event(at: now) { tracker in
            for index in tracker.links.indices.reversed()
            where !wearables.contains(tracker.links[index].wearable) {
                tracker.dismiss(index, at: now)
            }
            tracker.links.add(wearables, at: now)
            tracker.recognise()
            for (path, device) in tracker.objects.devices where device.hasSignal {
                if let index = tracker.index(ofDevice: path) { tracker.links[index].advertHeard(at: now) }
            }
        }
    }

    private mutating func dismiss(_ index: Int, at now: BootInstant) {
        let link = links[index]
        let address = link.wearable.address
        if link.isUp || link.isConnecting, let path = shown(link)?.path { calls.call(.disconnect(path)) }
        for path in link.notifying { calls.call(.stopNotify(path)) }
        perform(
            links[index].startOver(reason: "it was taken out of the settings", at: now), for: index, at: now)
        for path in link.sockets { calls.append(.detach(path: path)) }
        calls.forgetCalls { $0.link == address }
        if radio.connecting == address { radio.connecting = nil }
        links.remove(at: index)
    }

    /// Tells BTHome adverts from bluetoothd's discovery, for a kernel that does not let the gateway hear them itself.
    mutating func hearAdverts(_ isOn: Bool, at now: BootInstant) -> [Action] {
        event(at: now) { tracker in tracker.radio.hearsAdverts = isOn }
    }

    /// The wearables of these persons are asked for their positions, and no others.
    mutating func followPositions(of persons: Set<PersonID>, at now: BootInstant) -> [Action] {
        event(at: now) { tracker in tracker.links.followPositions(of: persons) }
    }

    /// Immediate Alert (0x1802): an alarm is felt where its person is. Sent to each wearable of the person that is
    /// connected and has the service; in an alarm nothing can be done about the others.
    mutating func alarm(_ person: PersonID, isOn: Bool, at now: BootInstant) -> [Action] {
        event(at: now) { tracker in
            // First: nothing about a buzz comes before the alarm.
            for index in tracker.links.indices { tracker.sendAlert(index, to: person, isOn: isOn) }
            for device in tracker.buzzes.alarm(person, isOn: isOn) {
                tracker.calls.append(.buzzed(device, .alarmOpen))
            }
        }
    }

    /// Immediate Alert for some seconds, so that a person finds the wearable.
    mutating func buzz(_ device: DeviceID, at now: BootInstant) -> [Action] {
        event(at: now) { tracker in
            if let refusal = tracker.beginBuzz(device, at: now) {
                tracker.calls.append(.buzzed(device, refusal))
            }
        }
    }

    /// Returns the reason of a refusal; nil where the alert is on its way.
    private mutating func beginBuzz(_ device: DeviceID, at now: BootInstant) -> BuzzOutcome? {
        guard let link = links.indices.map({ links[$0] }).first(where: { $0.wearable.id == device }), link.isUp,
            let (path, shown) = shown(link), shown.areServicesResolved
        else { return .notConnected }
        guard !buzzes.isInAlarm(link.wearable.person) else { return .alarmOpen }
        // As in an alarm; mildly where the settings switch that off.
        let level: AlertLevel = link.wearable.alarmAlert == .none ? .mild : link.wearable.alarmAlert
        guard writeAlert(level, to: link, at: path, for: .buzz) else { return .noBuzzer }
        buzzes.begin(link.wearable, at: now)
        return nil
    }

    private mutating func endDueBuzzes(at now: BootInstant) {
        for ended in buzzes.takeDue(at: now) {
            if let index = links.index(of: ended.address), links[index].isUp,
                let path = shown(links[index])?.path
            {
                writeAlert(.none, to: links[index], at: path, for: .alert(.none))
            }
            guard !ended.isAnswered else { continue }
            calls.append(
                .buzzed(ended.device, .failed("no answer within \(BuzzOutcome.duration.components.seconds) s")))
        }
    }

    private mutating func sendAlert(_ index: Int, to person: PersonID, isOn: Bool) {
        let link = links[index]
        guard link.isUp, link.wearable.person == person, link.wearable.alarmAlert != .none,
            let path = shown(link)?.path
        else { return }
        let level = isOn ? link.wearable.alarmAlert : .none
        writeAlert(level, to: link, at: path, for: .alert(level))
    }

    /// - Parameter path: of the device.
    /// - Returns: whether the device has Immediate Alert.
    @discardableResult
    private mutating func writeAlert(
        _ level: AlertLevel, to link: WearableLink, at path: String, for purpose: CallQueue.PendingCall.Purpose
    ) -> Bool {
        let found = objects.characteristics(of: path).first {
            CharacteristicRole($0.uuid, service: $0.service) == .immediateAlert
        }
        guard let found else { return false }
        // The service allows a Write Command only; some tags have it as a request.
        let awaitsResponse = !found.flags.contains("write-without-response")
        calls.call(
            .writeValue(found.path, level.bytes, awaitsResponse: awaitsResponse),
            link: link.wearable.address, for: purpose)
        return true
    }

    /// Asks for a goodbye that leaves bluetoothd as it was found; nothing is decided any more after this.
    mutating func stop() -> [Action] {
        calls.forgetCalls()
        for index in links.indices {
            let link = links[index]
            for path in link.notifying { calls.call(.stopNotify(path)) }
            if link.wearable.address == radio.connecting, !link.isUp, let path = shown(link)?.path {
                calls.call(.disconnect(path))
            }
        }
        radio.stop(&calls)
        phase.stop()
        return calls.takeActions()
    }

    // MARK: Events

    private mutating func event(at now: BootInstant, _ body: (inout WearableTracker) -> Void) -> [Action] {
        guard !phase.isStopping else { return [] }
        body(&self)
        settle(at: now)
        settledAt = now
        return calls.takeActions()
    }

    /// The signals are subscribed to on a new connection.
    mutating func busOpened(at now: BootInstant) -> [Action] {
        event(at: now) { tracker in tracker.phase.load(&tracker.calls) }
    }

    /// The bus cannot be opened, or the connection has died.
    mutating func busLost(_ error: BusError, at now: BootInstant) -> [Action] {
        event(at: now) { tracker in
            tracker.startOver(reason: "the bus connection was lost", at: now)
            // The bus is the fault then, and it is told by itself.
            tracker.radio.report(at: now, &tracker.calls) { $0.startOver(at: now) }
            tracker.phase.busLost()
            tracker.radio.announce(.noBus(tracker.bus, error), &tracker.calls)
        }
    }

    mutating func nameOwnerChanged(isPresent: Bool, at now: BootInstant) -> [Action] {
        event(at: now) { tracker in
            tracker.startOver(reason: "bluetoothd went away", at: now)
            tracker.radio.report(at: now, &tracker.calls) { $0.startOver(at: now) }
            guard !isPresent else { return tracker.phase.load(&tracker.calls) }
            tracker.radio.announce(.noService, &tracker.calls)
            tracker.phase.retry(at: now, jitter: &tracker.jitter)
        }
    }

    mutating func interfacesAdded(_ path: String, _ interfaces: BlueZInterfaces, at now: BootInstant)
        -> [Action]
    {
        guard phase.isReady else { return [] }
        return event(at: now) { tracker in
            tracker.objects.add(path, interfaces)
            // First: it may be a call for help.
            if let device = interfaces[BlueZ.device], device["RSSI"] != nil {
                tracker.emitAdvert(path, device, at: now)
            }
            tracker.radio.report(at: now, &tracker.calls) { $0.answered(at: now) }
            if interfaces[BlueZ.device] != nil { tracker.recognise() }
            if tracker.objects.devices[path]?.hasSignal == true { tracker.advertHeard(path, at: now) }
        }
    }

    mutating func interfacesRemoved(_ path: String, _ interfaces: [String], at now: BootInstant) -> [Action] {
        guard phase.isReady else { return [] }
        return event(at: now) { tracker in tracker.objects.remove(path, interfaces) }
    }

    mutating func propertiesChanged(
        _ path: String, _ interface: String, _ properties: [String: BusValue], invalidated: [String],
        at now: BootInstant
    ) -> [Action] {
        if interface == BlueZ.characteristic, let bytes = properties["Value"]?.bytes {
            // A new value changes nothing else, so it goes straight on: this is the way to the SOS rules.
            return valueArrived(path, bytes, by: .signals, at: now)
        }
        guard phase.isReady else { return [] }
        if interface == BlueZ.device, index(ofDevice: path) == nil, properties["Address"] == nil,
            !radio.isSuspecting
        {
            // The neighbours' adverts: up to hundreds a second in a block of flats. Their properties are kept, for a
            // device that is about to become ours: another program may connect and pair it.
            objects.change(path, interface, properties, invalidated: invalidated)
            radio.strangerHeard(at: now)
            return advert(path, properties, at: now).map { [.emit($0)] } ?? []
        }
        return event(at: now) { tracker in
            if interface == BlueZ.device { tracker.emitAdvert(path, properties, at: now) }
            let wasDiscovering = tracker.radio.isDiscovering(tracker.objects)
            tracker.radio.report(at: now, &tracker.calls) { $0.answered(at: now) }
            tracker.objects.change(path, interface, properties, invalidated: invalidated)
            if properties["UUIDs"] != nil { tracker.recognise() }
            if properties["RSSI"] != nil { tracker.advertHeard(path, at: now) }
            if properties["Notifying"]?.bool == false { tracker.notifyingEnded(path, at: now) }
            if wasDiscovering, !tracker.radio.isDiscovering(tracker.objects) {
                tracker.radio.discoveryEnded(at: now, jitter: &tracker.jitter)
            }
        }
    }

    /// A packet of a socket that was attached.
    mutating func packetArrived(_ path: String, _ bytes: [UInt8], at now: BootInstant) -> [Action] {
        valueArrived(path, bytes, by: .socket, at: now)
    }

    /// bluetoothd has closed a socket: usually the link is about to be told lost.
    mutating func socketEnded(_ path: String, at now: BootInstant) -> [Action] {
        event(at: now) { tracker in tracker.notifyingEnded(path, at: now) }
    }

    mutating func tick(at now: BootInstant) -> [Action] {
        event(at: now) { tracker in
            tracker.phase.loadWhenDue(at: now, &tracker.calls)
            // Elsewhere it is absent, or is being asked for its tree, which is as good as a ping.
            if tracker.phase.isReady { tracker.radio.report(at: now, &tracker.calls) { $0.tick(at: now) } }
            tracker.radio.powerOnWhenDue(at: now, &tracker.calls)
            tracker.endDueBuzzes(at: now)
        }
    }

    mutating func replied(_ id: CallID, _ reply: BusConnection.Reply, at now: BootInstant) -> [Action] {
        guard let call = calls.removeCall(id), !phase.isStopping else { return [] }
        return event(at: now) { tracker in tracker.handle(reply, to: call, at: now) }
    }

    private mutating func handle(
        _ reply: BusConnection.Reply, to pending: CallQueue.PendingCall, at now: BootInstant
    ) {
        let error: BusError? = if case .failure(let error) = reply { error } else { nil }
        let index = pending.link.flatMap { links.index(of: $0) }
        let isHeard = index.map { links[$0].isHeard(at: now) } ?? false
        radio.report(at: now, &calls) {
            $0.replied(to: pending.call.method, error, isHeard: isHeard, at: now)
        }
        switch (pending.purpose, pending.call.method, index) {
        case (.power(let isOn), _, _): radio.powerReplied(isOn, error, &calls)
        case (.setup(let step), _, let index?): setupReplied(step, reply, index, at: now)
        case (.alert(let level), _, let index?):
            let device = links[index].wearable.id
            guard let error else { return calls.emit(.alerted(device, level)) }
            calls.emitFailure(of: "Immediate Alert", error, device: device, retryIn: .zero)
        case (.buzz, _, let index?):
            let wearable = links[index].wearable
            buzzes.answered(wearable.address, isTaken: error == nil)
            calls.append(.buzzed(wearable.id, error.map { .failed($0.description) } ?? .begun))
        case (_, .getManagedObjects, _): loaded(reply, at: now)
        case (_, .startDiscovery, _):
            radio.startDiscoveryReplied(error, objects, at: now, &calls, jitter: &jitter)
        case (_, .stopDiscovery, _): radio.stopDiscoveryReplied(at: now)
        case (_, .connect, let index?):
            radio.connecting = nil
            if links[index].isTriedBlindly { links.blindTryEnded(at: now) }
            perform(links[index].connectReplied(error, at: now, jitter: &jitter), for: index, at: now)
        case (_, .startNotify, let index?), (_, .acquireNotify, let index?):
            subscribeReplied(reply, to: pending.call, index, at: now)
        // Whether a link has ended, `Connected` tells. Without its filter discovery works as well, with
        // fewer signs of adverts.
        default: break
        }
    }

    private mutating func setupReplied(
        _ step: ConnectionSetup.Step, _ reply: BusConnection.Reply, _ index: Int, at now: BootInstant
    ) {
        let wearable = links[index].wearable
        if case .records = step {
            // The write has only begun the transfer, which finds its end by itself.
            guard case .failure(let error) = reply else { return }
            return perform(links[index].transferWriteFailed(error), for: index, at: now)
        }
        links[index].setupStepEnded()
        calls.setupReplied(step, reply, of: wearable)
    }

    private mutating func subscribeReplied(
        _ reply: BusConnection.Reply, to call: BlueZCall, _ index: Int, at now: BootInstant
    ) {
        var error: BusError? = if case .failure(let error) = reply { error } else { nil }
        var socket: BusDescriptor?
        if call.method == .acquireNotify, case .success(let values) = reply {
            socket = values.first?.descriptor
            if socket == nil { error = .remote(name: "", message: "AcquireNotify gave no socket") }
        }
        perform(links[index].subscribeReplied(call.path, error, at: now, jitter: &jitter), for: index, at: now)
        // Not for a subscription that is no more: the socket closes with its last reference.
        if let socket, links[index].sockets.contains(call.path) {
            calls.append(.attach(path: call.path, socket))
        }
    }

    private mutating func valueArrived(
        _ path: String, _ bytes: [UInt8], by transport: Subscription.Transport, at now: BootInstant
    ) -> [Action] {
        guard let owner = objects.owner(ofCharacteristic: path), let index = index(ofDevice: owner.device)
        else {
            return unknownArrived(path)
        }
        let known = links[index].valueArrived(path, by: transport, at: now)
        if known == nil, let shown = objects.characteristic(path) {
            switch links[index].strayArrived(shown) {
            case .value(let value): return counted(value, bytes, of: index, at: now)
            case .ignored: return [.emit(.ignored(links[index].wearable.id, shown.uuid))]
            case .unwanted: break
            }
        }
        return known.map { counted($0, bytes, of: index, at: now) } ?? []
    }

    /// A value of a characteristic that bluetoothd has not shown, or not what it is.
    private func unknownArrived(_ path: String) -> [Action] {
        guard let index = objects.device(above: path).flatMap({ index(ofDevice: $0) }) else { return [] }
        return [.emit(.ignored(links[index].wearable.id, nil))]
    }

    private mutating func counted(
        _ value: LinkSubscriptions.Value, _ bytes: [UInt8], of index: Int, at now: BootInstant
    ) -> [Action] {
        radio.valueArrived(at: now)
        let wearable = links[index].wearable
        if links[index].isTransferring, RecordFetch.isOfTransfer(value.uuid) {
            return event(at: now) { tracker in
                tracker.perform(
                    tracker.links[index].recordArrived(value.uuid, bytes, at: now), for: index, at: now)
            }
        }
        let told = Action.notified(wearable, value.uuid, bytes)
        guard value.wasLastSuspect else { return [told] }
        // First the end of the doubt, so that the value does not arrive in it: a step of microseconds, once.
        return [.emit(.proven(wearable.id)), told]
    }

    // MARK: bluetoothd

    private mutating func loaded(_ reply: BusConnection.Reply, at now: BootInstant) {
        switch reply {
        case .success(let values):
            objects = BlueZObjects()
            for (path, interfaces) in BlueZSignal.tree(values) ?? [:] { objects.add(path, interfaces) }
            phase.loaded()
            recognise()
            for (path, device) in objects.devices where device.hasSignal { advertHeard(path, at: now) }
        case .failure(let error):
            radio.announce(.notListed(error), &calls)
            phase.retry(at: now, jitter: &jitter)
        }
    }

    /// Forgets the state of bluetoothd and all calls to it.
    private mutating func startOver(reason: String, at now: BootInstant) {
        for index in links.indices {
            for path in links[index].sockets { calls.append(.detach(path: path)) }
            perform(links[index].startOver(reason: reason, at: now), for: index, at: now)
        }
        objects = BlueZObjects()
        calls.forgetCalls()
        radio.startOver(at: now)
        links.startOver(at: now)
    }

    private func index(ofDevice path: String) -> Int? {
        objects.devices[path]?.address.flatMap { links.index(of: $0) }
    }

    private mutating func emitAdvert(_ path: String, _ properties: [String: BusValue], at now: BootInstant) {
        if let event = advert(path, properties, at: now) { calls.emit(event) }
    }

    /// - Parameter properties: of a signal: the tree that was loaded at the start may be hours old, a button that was
    ///   pressed then.
    private func advert(
        _ path: String, _ properties: [String: BusValue], at now: BootInstant
    ) -> WearableEvent? {
        guard radio.hearsAdverts, let address = objects.devices[path]?.address else { return nil }
        return BlueZSignal.btHomeData(properties).map { .advertised(address, serviceData: $0, at: now) }
    }

    private mutating func advertHeard(_ path: String, at now: BootInstant) {
        let index = index(ofDevice: path)
        radio.report(at: now, &calls) { $0.adverts(ofStranger: index == nil, at: now) }
        if let index { links[index].advertHeard(at: now) }
    }

    private mutating func notifyingEnded(_ path: String, at now: BootInstant) {
        for index in links.indices { links[index].notifyingEnded(path, at: now) }
    }

    /// Emits the rhythm of each wearable, once, as bluetoothd knows its services. Before any other event of it: the
    /// silence of a wearable that sleeps is normal.
    private mutating func recognise() {
        for index in links.indices where !links[index].isRecognised {
            let address = links[index].wearable.address
            let services = objects.devices.values.filter { $0.address == address }.flatMap(\.services)
            guard let rhythm = Wearable.Rhythm(ofServices: services) else { continue }
            links[index].recognise(rhythm)
            calls.emit(.recognised(links[index].wearable.id, rhythm))
        }
    }

    // MARK: Settling

    /// Compares the wanted state with the shown one, and makes the calls between the two.
    private mutating func settle(at now: BootInstant) {
        guard phase.isReady else { return }
        let path = radio.usableAdapter(among: objects.adapters, at: now, &calls)
        for index in links.indices {
            let wasUp = links[index].isUp
            let view = path == nil ? nil : view(of: links[index])
            perform(links[index].settle(view, at: now, jitter: &jitter), for: index, at: now)
            if !wasUp, links[index].isUp { radio.report(at: now, &calls) { $0.linkCameUp(at: now) } }
        }
        guard let path else { return }
        let (table, objects) = (links, objects)
        let next = radio.settle(on: path, table, at: now, &calls) {
            table.nextToConnect(at: now) { objects.device($0.wearable.address, on: path)?.device }
        }
        if let next { connect(next, at: now) }
    }

    private mutating func connect(_ index: Int, at now: BootInstant) {
        guard let path = shown(links[index])?.path else { return }
        let connect = BlueZCall.connect(path, seen: links[index].isHeard(at: now))
        links[index].connectSent(limit: connect.timeout, at: now)
        radio.connecting = links[index].wearable.address
        calls.call(connect, link: radio.connecting)
    }

    private func shown(_ link: WearableLink) -> (path: String, device: BlueZObjects.Device)? {
        radio.adapterPath.flatMap { objects.device(link.wearable.address, on: $0) }
    }

    private func view(of link: WearableLink) -> WearableLink.View? {
        shown(link).map { path, device in
            WearableLink.View(
                isConnected: device.isConnected, areServicesResolved: device.areServicesResolved,
                characteristics: device.isConnected || link.mayStand ? objects.characteristics(of: path) : [])
        }
    }

    private mutating func perform(_ steps: [WearableLink.Step], for index: Int, at now: BootInstant) {
        for step in steps {
            switch step {
            case .setup(.records(let control)):
                perform(links[index].startTransfer(at: control, now: now), for: index, at: now)
            case .disconnect:
                guard let path = shown(links[index])?.path else { continue }
                calls.call(.disconnect(path), link: links[index].wearable.address)
            default: calls.perform(step, of: links[index].wearable)
            }
        }
    }
}
