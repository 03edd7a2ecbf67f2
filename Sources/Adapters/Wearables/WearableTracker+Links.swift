import GatewayModel
import Systemd

// The wearables: what bluetoothd shows of each, and whose turn it is to be connected.

extension WearableTracker {
    /// Compares what is wanted with what is shown, and asks for what is missing.
    mutating func settle(at now: BootInstant) {
        guard phase == .ready else { return }
        let adapter = usableAdapter(at: now)
        for index in links.indices {
            let wasUp = links[index].isUp
            let view = adapter == nil ? nil : view(of: links[index])
            perform(links[index].settle(view, at: now, jitter: &jitter), for: index, at: now)
            if !wasUp, links[index].isUp { perform(recovery.linkCameUp(at: now), at: now) }
        }
        if let adapter { settleRadio(on: adapter, at: now) }
    }

    mutating func handle(_ reply: BusConnection.Reply, to pending: PendingCall, at now: BootInstant) {
        let error: BusError? = if case .failure(let error) = reply { error } else { nil }
        weigh(error, of: pending, at: now)
        let index = pending.link.flatMap { indexes[$0] }
        switch (pending.purpose, pending.call.method, index) {
        case (.power(let isOn), _, _): powerReplied(isOn, error)
        case (.errand(let errand), _, let index?): errandReplied(errand, reply, index, at: now)
        case (.alert(let level), _, let index?): alertReplied(level, error, index)
        case (_, .getManagedObjects, _): loaded(reply, at: now)
        case (_, .startDiscovery, _): startDiscoveryReplied(error, at: now)
        case (_, .stopDiscovery, _): discovery = .off(notBefore: now)
        case (_, .connect, let index?):
            connecting = nil
            if links[index].isTriedBlindly { blindNotBefore = now.advanced(by: Self.listening) }
            perform(links[index].connectReplied(error, at: now, jitter: &jitter), for: index, at: now)
        case (_, .startNotify, let index?), (_, .acquireNotify, let index?):
            subscribeReplied(reply, to: pending.call, index, at: now)
        // Whether a link has ended, `Connected` tells. Without its filter discovery works as well, with
        // fewer signs of adverts.
        default: break
        }
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
        if let socket, links[index].subscriptions.contains(where: { $0.path == call.path && $0.way == .socket })
        {
            act(.attach(path: call.path, socket))
        }
    }

    mutating func advertHeard(_ path: String, at now: BootInstant) {
        let index = index(ofDevice: path)
        perform(recovery.adverts(ofStranger: index == nil, at: now), at: now)
        if let index { links[index].advertHeard(at: now) }
    }

    mutating func notifyingEnded(_ path: String, at now: BootInstant) {
        for index in links.indices { links[index].notifyingEnded(path, at: now) }
    }

    func shown(_ link: WearableLink) -> (path: String, device: BlueZObjects.Device)? {
        adapter.flatMap { objects.device(link.wearable.address, on: $0) }
    }

    private func view(of link: WearableLink) -> WearableLink.View? {
        shown(link).map { path, device in
            WearableLink.View(
                isConnected: device.isConnected, areServicesResolved: device.areServicesResolved,
                characteristics: device.isConnected ? objects.characteristics(of: path) : [])
        }
    }

    mutating func perform(_ steps: [WearableLink.Step], for index: Int, at now: BootInstant) {
        let device = links[index].wearable.id
        let address = links[index].wearable.address
        for step in steps {
            switch step {
            case .connected:
                act(.forget(device))
                emit(.connected(device))
            case .subscribed(let characteristics): emit(.subscribed(device, characteristics))
            case .disconnected(let reason):
                // Replies about the last link would be taken for those about the next.
                // Those that the radio waits for are kept.
                pending = pending.filter {
                    $0.value.link != address || [.connect, .disconnect].contains($0.value.call.method)
                }
                emit(.disconnected(device, reason: reason))
            case .acquireNotify(let path): call(.acquireNotify(path), link: address)
            case .startNotify(let path): call(.startNotify(path), link: address)
            case .release(let path, .socket): act(.detach(path: path))
            case .release(let path, .signals): call(.stopNotify(path))
            case .errand(let errand): run(errand, index, at: now)
            case .writeControl(let control, let bytes):
                call(
                    .writeValue(control.path, bytes, awaitsResponse: true), link: address,
                    for: .errand(.records(control)))
            case .records(let records): act(.records(links[index].wearable, records))
            case .suspected(let uuid, let limit): emit(.unproven(device, uuid, after: limit))
            case .disconnect:
                if let path = shown(links[index])?.path { call(.disconnect(path), link: address) }
            case .failed(let name, let error, let kind, let pause):
                emit(.callFailed(device, call: name, error: error, kind: kind, retryIn: pause))
            }
        }
    }

    /// Tells of each wearable, once, what bluetoothd knows it for. Before anything else is told of it: who
    /// sleeps is not missed.
    mutating func recognise() {
        for index in links.indices where links[index].recognised == nil {
            let address = links[index].wearable.address
            let services = objects.devices.values.filter { $0.address == address }.flatMap(\.services)
            guard let rhythm = Wearable.Rhythm(ofServices: services) else { continue }
            links[index].recognised = rhythm
            emit(.recognised(links[index].wearable.id, rhythm))
        }
    }
}
