import GatewayModel
import Systemd
import Testing
import WireFormats

@testable import Wearables

@Suite struct WearableTrackerTests {
    var rig = TrackerRig()
    static let strap = TrackerRig.strap.id

    @Test mutating func `signals before the tree are dropped`() {
        rig.after { $0.busOpened(at: $1) }
        rig.after { $0.interfacesAdded(TrackerRig.device, TrackerRig.device(isConnected: true), at: $1) }
        rig.answer(.getManagedObjects, tree: TrackerRig.value([TrackerRig.hci0: TrackerRig.adapter()]))
        #expect(rig.tracker.objects.devices.isEmpty)
    }

    @Test mutating func `a link that is up at the start is used as it is`() {
        #expect(rig.load(TrackerRig.tree(isConnected: true)) == [.startNotify])
        #expect(rig.calls[0].call.path == TrackerRig.characteristic)
        rig.answer(.startNotify)
        #expect(
            rig.events == [
                .bluetooth(available: true, reason: "hci0 is on"), .connected(Self.strap),
                .subscribed(Self.strap, [.heartRateMeasurement]),
            ])
    }

    @Test mutating func `an unknown wearable is discovered then connected with the radio quiet`() {
        #expect(rig.load([TrackerRig.hci0: TrackerRig.adapter()]) == [.setDiscoveryFilter, .startDiscovery])
        rig.answer(.setDiscoveryFilter)
        rig.answer(.startDiscovery)
        #expect(
            rig.after { $0.interfacesAdded(TrackerRig.device, TrackerRig.device(isHeard: true), at: $1) } == [
                .stopDiscovery
            ])
        #expect(rig.answer(.stopDiscovery) == [.connect])
        #expect(rig.calls[0].call.timeout == BlueZCall.connectLimit)
        rig.answer(.connect)
        #expect(rig.link(isUp: true) == [])
        for (path, interfaces) in TrackerRig.gatt.sorted(by: { $0.key < $1.key }) {
            rig.after { $0.interfacesAdded(path, interfaces, at: $1) }
        }
        #expect(rig.calls.map(\.call.method) == [.startNotify])
    }

    @Test mutating func `a wearable that is not heard holds the radio for less`() {
        #expect(rig.load(TrackerRig.tree()) == [.connect])
        #expect(rig.calls[0].call.timeout == BlueZCall.unseenConnectLimit)
    }

    @Test mutating func `a connect that times out is cancelled and pauses grow`() {
        rig.load(TrackerRig.tree())
        var pauses: [Duration] = []
        for _ in 0..<9 {
            rig.answer(.connect, "org.freedesktop.DBus.Error.NoReply")
            #expect(rig.calls.contains { $0.call.method == .disconnect })
            rig.answer(.disconnect)
            if case .callFailed(_, _, _, _, let pause)? = rig.events.last { pauses.append(pause) }
            rig.answer(.setDiscoveryFilter)
            rig.answer(.startDiscovery)
            rig.wait(pause(pauses))
            rig.answer(.stopDiscovery)
        }
        // Discovery has its 8 s between two tries of one that is not heard.
        for (pause, whole) in zip(pauses, [8, 8, 8, 8, 16, 32, 60, 60, 60]) {
            #expect(pause <= .seconds(whole) && pause >= max(.seconds(whole) * 0.75, .seconds(8)))
        }
    }

    /// Or bluetoothd takes the socket of the one for that of the other.
    @Test func `nobody else is connected before a cancelled connect is over`() {
        for error in [nil, "org.bluez.Error.Failed", "org.freedesktop.DBus.Error.NoReply"] {
            var rig = TrackerRig([TrackerRig.strap, TrackerRig.band])
            var tree = TrackerRig.tree()
            tree[TrackerRig.other] = TrackerRig.device(TrackerRig.band)
            #expect(rig.load(tree) == [.connect])
            #expect(rig.answer(.connect, "org.freedesktop.DBus.Error.NoReply") == [.disconnect])
            #expect(rig.change(TrackerRig.other, BlueZ.device, ["RSSI": .int16(-50)]) == [])
            #expect(rig.answer(.disconnect, error) == [.connect])
        }
    }

    private func pause(_ pauses: [Duration]) -> Duration { pauses.last ?? .zero }

    @Test mutating func `a wearable that was not there is tried at once when it is heard again`() {
        rig.load(TrackerRig.tree())
        for _ in 0..<7 {
            rig.answer(.connect, "org.bluez.Error.Failed")
            rig.answer(.startDiscovery)
            rig.wait(.seconds(61))
            rig.answer(.stopDiscovery)
        }
        rig.answer(.connect, "org.bluez.Error.Failed")
        rig.answer(.startDiscovery)
        #expect(rig.change(TrackerRig.device, BlueZ.device, ["RSSI": .int16(-50)]) == [.stopDiscovery])
    }

    @Test mutating func `an advert does not shorten the pause of a wearable that was there and failed`() {
        rig.load(TrackerRig.tree(isHeard: true))
        rig.answer(.connect, "org.bluez.Error.Failed")
        rig.answer(.startDiscovery)
        #expect(rig.change(TrackerRig.device, BlueZ.device, ["RSSI": .int16(-50)]) == [])
    }

    @Test mutating func `a fault that needs a person is tried once a minute`() {
        rig.load(TrackerRig.tree())
        rig.answer(.connect, "org.bluez.Error.AuthenticationFailed")
        guard case .callFailed(_, _, _, _, let pause)? = rig.events.last else { return #expect(Bool(false)) }
        #expect(pause == .seconds(60))
    }

    @Test mutating func `services that are not resolved in time end the link`() {
        rig.load(TrackerRig.tree())
        rig.answer(.connect)
        rig.change(TrackerRig.device, BlueZ.device, ["Connected": .bool(true)])
        #expect(!rig.wait(.seconds(14)).contains(.disconnect))
        #expect(rig.wait(.seconds(2)).contains(.disconnect))
        rig.change(TrackerRig.device, BlueZ.device, ["Connected": .bool(false)])
        guard case .disconnected? = rig.events.last else { return #expect(Bool(false)) }
    }

    @Test mutating func `a characteristic that does not follow its flag ends the link`() {
        #expect(rig.load(TrackerRig.tree(isConnected: true, hasGATT: false)) == [])
        #expect(rig.wait(.seconds(9)) == [])
        #expect(rig.wait(.seconds(2)) == [.disconnect])
    }

    @Test mutating func `one start notify is asked for at a time`() {
        rig.load(TrackerRig.tree(isConnected: true))
        rig.change(TrackerRig.characteristic, BlueZ.characteristic, ["Notifying": .bool(true)])
        rig.wait(.seconds(5))
        #expect(rig.calls.map(\.call.method) == [.startNotify])
    }

    @Test mutating func `a failed start notify is repeated and the third ends the link`() {
        rig.load(TrackerRig.tree(isConnected: true))
        rig.answer(.startNotify, "org.freedesktop.DBus.Error.NoReply")
        #expect(rig.wait(.seconds(1)) == [.startNotify])
        rig.answer(.startNotify, "org.bluez.Error.InProgress")
        #expect(rig.wait(.seconds(2)) == [.startNotify])
        #expect(rig.answer(.startNotify, "org.bluez.Error.Failed") == [.disconnect])
    }

    @Test mutating func `a reply to the last links subscription does not count for this one`() {
        rig.load(TrackerRig.tree(isConnected: true))
        rig.link(isUp: false)
        rig.link(isUp: true)
        #expect(rig.calls.filter { $0.call.method == .startNotify }.count == 2)
        rig.events = []
        rig.answer(.startNotify, "org.bluez.Error.Failed")
        #expect(rig.events.isEmpty)
        rig.answer(.startNotify)
        #expect(rig.events == [.subscribed(Self.strap, [.heartRateMeasurement])])
    }

    @Test mutating func `a lost link is told once and tried again`() {
        rig.subscribe()
        rig.change(TrackerRig.characteristic, BlueZ.characteristic, ["Notifying": .bool(false)])
        rig.link(isUp: false)
        #expect(rig.events == [.disconnected(Self.strap, reason: "the link ended")])
        rig.answer(.startDiscovery)
        #expect(rig.wait(.seconds(1)).contains(.stopDiscovery))
        #expect(rig.answer(.stopDiscovery) == [.connect])
    }

    @Test mutating func `a removed device is a disconnect`() {
        rig.subscribe()
        rig.after { $0.interfacesRemoved(TrackerRig.device, [BlueZ.device], at: $1) }
        #expect(rig.events == [.disconnected(Self.strap, reason: "bluetoothd removed the device")])
    }

    @Test mutating func `a new owner starts everything over`() {
        rig.subscribe()
        rig.after { $0.nameOwnerChanged(isPresent: false, at: $1) }
        #expect(rig.events.first == .disconnected(Self.strap, reason: "bluetoothd went away"))
        #expect(rig.tracker.objects == BlueZObjects())
        #expect(rig.after { $0.nameOwnerChanged(isPresent: true, at: $1) } == [.getManagedObjects])
        #expect(
            rig.answer(.getManagedObjects, tree: TrackerRig.value(TrackerRig.tree(isConnected: true))) == [
                .startNotify
            ])
    }

    @Test mutating func `an absent service is told once and asked again`() {
        rig.after { $0.busOpened(at: $1) }
        for _ in 0..<5 {
            rig.answer(.getManagedObjects, "org.freedesktop.DBus.Error.ServiceUnknown")
            #expect(rig.wait(.seconds(5)) == [.getManagedObjects])
        }
        #expect(rig.events == [.bluetooth(available: false, reason: Availability.noService.reason)])
    }

    @Test mutating func `a lost bus ends every link and forgets open calls`() {
        rig.subscribe()
        rig.link(isUp: false)
        rig.after { $0.busLost(.disconnected(number: 104), at: $1) }
        let before = rig.tracker
        rig.answer(.startDiscovery)
        #expect(rig.tracker.discoveryState == before.discoveryState)
        #expect(!rig.tracker.isAwaitingReply)
    }
}
