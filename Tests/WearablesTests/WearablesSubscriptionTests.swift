import GatewayModel
import Systemd
import Testing
import WireFormats

@testable import Wearables

@Suite struct WearableSubscriptionTests {
    private static let strap = TrackerRig.strap.id
    private static let rate = TrackerRig.row(0x2A37, in: "180d", "notify")
    private static let battery = TrackerRig.row(0x2A19, in: "180f", "read", "notify")
    private static let cuff = TrackerRig.row(0x2A35, in: "1810", "indicate")
    private static let model = TrackerRig.row(0x2A24, in: "180a", "read")

    private func number(_ assigned: UInt16) -> BluetoothUUID { BluetoothUUID(assigned: assigned) }

    @Test func `every measurement is subscribed to once and told together`() {
        var rig = TrackerRig()
        rig.load(TrackerRig.tree([Self.rate, Self.battery, Self.cuff]))
        #expect(Set(rig.open(.startNotify)) == [Self.rate.path, Self.battery.path, Self.cuff.path])
        rig.answer(.startNotify)
        #expect(!rig.events.contains { if case .subscribed = $0 { true } else { false } })
        rig.answerAll(.startNotify)
        guard case .subscribed(Self.strap, let uuids)? = rig.events.last else { return #expect(Bool(false)) }
        #expect(Set(uuids) == [number(0x2A37), number(0x2A19), number(0x2A35)])
    }

    @Test func `a characteristic that appears later is subscribed to and told again`() {
        var rig = TrackerRig()
        rig.load(TrackerRig.tree([Self.rate]))
        rig.answer(.startNotify)
        for (path, interfaces) in Self.cuff.objects.sorted(by: { $0.key < $1.key }) {
            rig.after { $0.interfacesAdded(path, interfaces, at: $1) }
        }
        #expect(rig.open(.startNotify) == [Self.cuff.path])
        rig.answer(.startNotify)
        #expect(
            rig.events.suffix(2) == [
                .subscribed(Self.strap, [number(0x2A37)]),
                .subscribed(Self.strap, [number(0x2A37), number(0x2A35)]),
            ])
    }

    @Test func `notifications come through a socket and indications by signal`() {
        var rig = TrackerRig()
        rig.givesSockets = true
        rig.load(TrackerRig.tree([Self.rate, Self.cuff]))
        #expect(rig.attached == [Self.rate.path])
        #expect(rig.open(.startNotify) == [Self.cuff.path])
    }

    @Test func `a value that came through the socket is not taken again from the bus`() {
        var rig = TrackerRig()
        rig.givesSockets = true
        rig.load(TrackerRig.tree([Self.rate]))
        rig.after { $0.packetArrived(Self.rate.path, [0, 70], at: $1) }
        rig.change(Self.rate.path, BlueZ.characteristic, ["Value": .bytes([0, 70])])
        #expect(rig.notified == [[0, 70]])
    }

    @Test func `a socket that ends on a link that stays is asked for again`() {
        var rig = TrackerRig()
        rig.givesSockets = true
        rig.load(TrackerRig.tree([Self.rate]))
        rig.attached = []
        rig.after { $0.socketEnded(Self.rate.path, at: $1) }
        rig.wait(.seconds(1))
        #expect(rig.attached == [Self.rate.path])
    }

    @Test func `the sockets of a lost link are let go`() {
        var rig = TrackerRig()
        rig.givesSockets = true
        rig.load(TrackerRig.tree([Self.rate]))
        rig.link(isUp: false)
        #expect(rig.attached == [])
    }

    @Test func `a silent stream is suspect then asked for again then the link is the fault`() {
        var rig = TrackerRig()
        rig.subscribe()
        rig.wait(.milliseconds(4_900))
        #expect(rig.events.isEmpty)
        rig.wait(.milliseconds(100))
        #expect(rig.events == [.unproven(Self.strap, .heartRateMeasurement, after: .seconds(5))])
        #expect(rig.open(.stopNotify) == [TrackerRig.characteristic])
        #expect(rig.wait(.seconds(1)).contains(.startNotify))
        rig.answer(.startNotify)
        #expect(rig.wait(.milliseconds(4_900)) == [])
        #expect(rig.wait(.milliseconds(100)) == [.disconnect])
    }

    @Test func `a stream that sends again is proven also on the next link`() {
        var rig = TrackerRig()
        rig.subscribe()
        rig.wait(.seconds(5))
        rig.link(isUp: false)
        rig.link(isUp: true)
        rig.answerAll(.startNotify)
        rig.events = []
        rig.change(TrackerRig.characteristic, BlueZ.characteristic, ["Value": .bytes([0, 72])])
        rig.change(TrackerRig.characteristic, BlueZ.characteristic, ["Value": .bytes([0, 73])])
        #expect(rig.events == [.proven(Self.strap)])
    }

    @Test func `values in time keep a stream from suspicion`() {
        var rig = TrackerRig()
        rig.subscribe()
        for beat in 0..<60 {
            rig.wait(.seconds(1))
            rig.change(TrackerRig.characteristic, BlueZ.characteristic, ["Value": .bytes([0, UInt8(beat)])])
        }
        #expect(rig.events.isEmpty)
        #expect(rig.notified.count == 60)
    }

    @Test func `a cuff may be silent forever`() {
        var rig = TrackerRig()
        rig.load(TrackerRig.tree([Self.cuff]))
        rig.answer(.startNotify)
        rig.events = []
        rig.wait(.seconds(86_400))
        #expect(rig.events.isEmpty)
    }

    @Test func `the settings rhythm goes before the derived one`() {
        var patient = TrackerRig([
            Wearable(
                id: TrackerRig.strap.id, address: TrackerRig.strap.address, person: TrackerRig.strap.person,
                rhythm: .streams(limit: .seconds(60)), alarmAlert: .high)
        ])
        patient.subscribe()
        patient.wait(.milliseconds(59_900))
        #expect(patient.events.isEmpty)
        patient.wait(.milliseconds(100))
        #expect(patient.events.count == 1)
    }

    @Test func `one measurement that is refused does not end the others`() {
        var rig = TrackerRig()
        rig.load(TrackerRig.tree([Self.cuff, TrackerRig.row(0x2A1C, in: "1809", "indicate")]))
        let paths = rig.open(.startNotify)
        rig.answer(.startNotify)
        for _ in 0..<3 {
            rig.answer(.startNotify, "org.bluez.Error.NotPermitted")
            rig.wait(.seconds(4))
        }
        #expect(rig.open(.disconnect).isEmpty)
        guard case .subscribed(_, let uuids)? = rig.events.last else { return #expect(Bool(false)) }
        #expect(uuids.count == 1 && paths.count == 2)
    }

    @Test func `reads wait for the subscriptions and one follows the other`() {
        var rig = TrackerRig()
        rig.load(TrackerRig.tree([Self.rate, Self.battery, Self.model]))
        #expect(rig.open(.readValue) == [])
        rig.answerAll(.startNotify)
        #expect(rig.open(.readValue) == [Self.battery.path])
        rig.answer(.readValue, tree: .bytes([80]))
        #expect(rig.open(.readValue) == [Self.model.path])
        rig.answer(.readValue, "org.bluez.Error.NotPermitted")
        #expect(rig.notified == [[80]])
        #expect(rig.open(.disconnect) == [] && rig.open(.readValue) == [])
    }

    @Test func `a clock is read then set once a connection`() {
        var rig = TrackerRig()
        let clock = TrackerRig.row(0x2A2B, in: "1805", "read", "write")
        rig.load(TrackerRig.tree([Self.cuff, clock]))
        rig.answer(.startNotify)
        #expect(rig.open(.readValue) == [clock.path] && rig.clocksSet == [])
        rig.answer(.readValue, tree: .bytes([]))
        #expect(rig.clocksSet.count == 1)
        let id = rig.clocksSet[0]
        rig.after { $0.replied(id, .success([]), at: $1) }
        rig.wait(.seconds(60))
        #expect(rig.clocksSet.count == 1)
    }

    @Test func `a device that shows nothing of use is named and let go`() {
        var rig = TrackerRig()
        rig.load(TrackerRig.tree([Self.model]))
        rig.wait(.seconds(9))
        #expect(!rig.events.contains(.unsupported(Self.strap)), "objects may follow")
        rig.wait(.seconds(1))
        #expect(rig.events.contains(.unsupported(Self.strap)) && rig.open(.disconnect) == [TrackerRig.device])
    }

    @Test func `a clock in the measuring service is read and set too`() {
        let own = TrackerRig.row(0x2A08, in: "1810", "read", "write")
        let current = TrackerRig.row(0x2A2B, in: "1805", "read", "write")
        var rig = TrackerRig()
        rig.load(TrackerRig.tree([Self.cuff, own]))
        rig.answer(.startNotify)
        #expect(rig.open(.readValue) == [own.path])
        rig.answer(.readValue, tree: .bytes([0xE4, 7, 1, 1, 0, 0, 0]))
        #expect(rig.clockFormats == [.dateTime])
        // The same clock: with Current Time it is set once.
        var both = TrackerRig()
        both.load(TrackerRig.tree([Self.cuff, own, current]))
        both.answer(.startNotify)
        #expect(both.open(.readValue) == [current.path])
        both.answer(.readValue, tree: .bytes([]))
        #expect(both.clockFormats == [.currentTime] && both.open(.readValue) == [])
    }

    @Test func `a tag is kept for its alert and its button only where it means something`() {
        let alert = TrackerRig.row(0x2A06, in: "1802", "write-without-response")
        let button = TrackerRig.row(0xFFE1, in: "ffe0", "notify")
        var silent = TrackerRig()
        silent.load(TrackerRig.tree([alert, button]))
        silent.wait(.seconds(60))
        #expect(silent.open(.startNotify) == [] && silent.open(.disconnect) == [])
        var tag = TrackerRig([
            Wearable(
                id: TrackerRig.strap.id, address: TrackerRig.strap.address, person: TrackerRig.strap.person,
                signals: [.tagButton: .sosButton], alarmAlert: .high)
        ])
        tag.load(TrackerRig.tree([alert, button]))
        #expect(tag.open(.startNotify) == [button.path])
    }
}

/// A StartNotify session outlives its link, and bluetoothd renews it on the next one before the services are resolved.
@Suite struct `A subscription that stands` {
    private static let cuff = TrackerRig.row(0x2A35, in: "1810", "indicate")
    private static let spot = TrackerRig.row(0x2A5E, in: "1822", "notify")
    private static let value: [String: BusValue] = ["Value": .bytes([0, 121, 0, 79, 0, 93, 0])]

    /// Known to bluetoothd, and away.
    private func away(_ row: (path: String, objects: [String: BlueZInterfaces])) -> TrackerRig {
        var rig = TrackerRig()
        rig.load(
            row.objects.merging([TrackerRig.hci0: TrackerRig.adapter(), TrackerRig.device: TrackerRig.device()])
            {
                first, _ in first
            })
        return rig
    }

    private func connect(_ rig: inout TrackerRig, isResolved: Bool = false) {
        rig.change(
            TrackerRig.device, BlueZ.device,
            ["Connected": .bool(true), "ServicesResolved": .bool(isResolved)])
    }

    @Test func `is asked for from the start, while the wearable is away, and never as a socket`() {
        for row in [Self.cuff, Self.spot] {
            var rig = away(row)
            rig.givesSockets = true
            #expect(rig.open(.startNotify) == [row.path] && rig.attached == [])
            rig.answer(.startNotify)
            rig.wait(.seconds(600))
            #expect(rig.open(.startNotify) == [])
            connect(&rig, isResolved: true)
            #expect(rig.open(.startNotify) == [row.path] && rig.attached == [])
        }
    }

    @Test func `is not asked for of a strap, which sends all the time`() {
        var rig = TrackerRig()
        rig.load(TrackerRig.tree())
        #expect(rig.open(.startNotify) == [])
    }

    @Test func `lets a value count in every state of the link, once`() {
        var rig = away(Self.cuff)
        rig.answer(.startNotify)
        rig.change(Self.cuff.path, BlueZ.characteristic, Self.value)
        #expect(rig.notified.count == 1, "before bluetoothd says that it is connected")
        connect(&rig)
        rig.change(Self.cuff.path, BlueZ.characteristic, Self.value)
        #expect(rig.notified.count == 2, "before the services are resolved")
        connect(&rig, isResolved: true)
        rig.change(Self.cuff.path, BlueZ.characteristic, Self.value)
        #expect(rig.notified.count == 3, "while it is asked for")
        rig.answer(.startNotify)
        rig.change(Self.cuff.path, BlueZ.characteristic, Self.value)
        #expect(rig.notified.count == 4)
        rig.link(isUp: false)
        rig.change(Self.cuff.path, BlueZ.characteristic, Self.value)
        #expect(rig.notified.count == 5, "behind the end of the link")
    }

    @Test func `is asked for again after each link and each bluetoothd`() {
        var rig = away(Self.cuff)
        rig.answer(.startNotify)
        connect(&rig, isResolved: true)
        rig.answer(.startNotify)
        rig.link(isUp: false)
        #expect(rig.open(.startNotify) == [Self.cuff.path])
        // It is kept from the link before.
        rig.answer(.startNotify, "org.bluez.Error.InProgress")
        rig.wait(.seconds(60))
        #expect(rig.open(.startNotify) == [])
        rig.after { $0.nameOwnerChanged(isPresent: false, at: $1) }
        rig.after { $0.nameOwnerChanged(isPresent: true, at: $1) }
        let tree = Self.cuff.objects.merging([
            TrackerRig.hci0: TrackerRig.adapter(), TrackerRig.device: TrackerRig.device(),
        ]) { first, _ in first }
        rig.answer(.getManagedObjects, tree: TrackerRig.value(tree))
        #expect(rig.open(.startNotify) == [Self.cuff.path])
    }

    @Test func `is tried again where bluetoothd refuses it, and the failure is told`() {
        var rig = away(Self.cuff)
        rig.answer(.startNotify, "org.bluez.Error.NotConnected")
        let failed = rig.events.contains {
            if case .callFailed(_, "StartNotify", _, _, _) = $0 { true } else { false }
        }
        #expect(failed)
        rig.wait(.seconds(2))
        #expect(rig.open(.startNotify) == [Self.cuff.path])
    }

    @Test func `ends with the wearable's place in the settings, and with the gateway`() {
        var rig = away(Self.cuff)
        rig.answer(.startNotify)
        var other = rig
        rig.after { $0.replace([], at: $1) }
        #expect(rig.open(.stopNotify) == [Self.cuff.path])
        other.after { tracker, _ in tracker.stop() }
        #expect(other.open(.stopNotify) == [Self.cuff.path])
    }

    @Test func `of a stream that had hung lets its first value on the next link count`() {
        var rig = TrackerRig()
        rig.givesSockets = true
        rig.load(TrackerRig.tree(isConnected: true))
        rig.wait(.seconds(6))
        rig.answer(.stopNotify)
        rig.answer(.startNotify)
        rig.link(isUp: false)
        connect(&rig)
        rig.change(TrackerRig.characteristic, BlueZ.characteristic, ["Value": .bytes([0, 72])])
        #expect(rig.notified == [[0, 72]])
    }
}

@Suite struct WearableRecordTests {
    private static let measurement = TrackerRig.row(0x2A18, in: "1808", "notify")
    private static let control = TrackerRig.row(0x2A52, in: "1808", "write", "indicate")

    /// Glucose Measurement without a concentration: flags, sequence number, 2026-01-15 08:30.
    private func record(_ number: UInt8) -> [UInt8] { [0, number, 0, 0xEA, 7, 1, 15, 8, 30, 0] }

    private func request(_ rig: TrackerRig) -> BlueZCall? {
        rig.calls.last { $0.call.method == .writeValue }?.call
    }

    @Test func `records are asked for after the subscriptions and told at the end`() {
        var rig = TrackerRig()
        rig.load(TrackerRig.tree([Self.measurement, Self.control]))
        rig.answerAll(.startNotify)
        // Report stored records, all.
        #expect(request(rig) == .writeValue(Self.control.path, [1, 1], awaitsResponse: true))
        rig.answer(.writeValue)
        for number: UInt8 in [5, 6, 6, 7] {
            rig.change(Self.measurement.path, BlueZ.characteristic, ["Value": .bytes(record(number))])
        }
        #expect(rig.records == [] && rig.notified == [])
        rig.change(Self.control.path, BlueZ.characteristic, ["Value": .bytes([6, 0, 1, 1])])
        #expect(rig.records == [5, 6, 7])
        // The next connection asks for what came after.
        rig.link(isUp: false)
        rig.link(isUp: true)
        rig.answerAll(.startNotify)
        #expect(request(rig) == .writeValue(Self.control.path, [1, 3, 1, 8, 0], awaitsResponse: true))
    }

    @Test func `a link that ends in between keeps the records that came and asks again`() {
        var rig = TrackerRig()
        rig.load(TrackerRig.tree([Self.measurement, Self.control]))
        rig.answerAll(.startNotify)
        rig.answer(.writeValue)
        rig.change(Self.measurement.path, BlueZ.characteristic, ["Value": .bytes(record(5))])
        rig.link(isUp: false)
        #expect(rig.records == [5])
        rig.link(isUp: true)
        rig.answerAll(.startNotify)
        #expect(request(rig) == .writeValue(Self.control.path, [1, 1], awaitsResponse: true))
    }

    @Test func `a meter that refuses is kept`() {
        var rig = TrackerRig()
        rig.load(TrackerRig.tree([Self.measurement, Self.control]))
        rig.answerAll(.startNotify)
        rig.answer(.writeValue, "org.bluez.Error.Failed")
        #expect(rig.open(.disconnect) == [])
        rig.change(Self.measurement.path, BlueZ.characteristic, ["Value": .bytes(record(9))])
        #expect(rig.notified.count == 1)
    }
}

@Suite struct WearableReplaceTests {
    @Test func `a wearable that is taken out is disconnected and the other keeps its link`() {
        var rig = TrackerRig([TrackerRig.strap, TrackerRig.band])
        rig.load(
            TrackerRig.tree(isConnected: true).merging([
                TrackerRig.other: TrackerRig.device(TrackerRig.band, isConnected: true)
            ]) { first, _ in first })
        rig.answer(.startNotify)
        rig.events = []
        rig.after { $0.replace([TrackerRig.band], at: $1) }
        #expect(rig.open(.disconnect) == [TrackerRig.device])
        #expect(rig.events == [.disconnected(TrackerRig.strap.id, reason: "it was taken out of the settings")])
        rig.change(TrackerRig.characteristic, BlueZ.characteristic, ["Value": .bytes([0, 72])])
        #expect(rig.notified.isEmpty)
    }

    @Test func `a wearable that is added is connected`() {
        var rig = TrackerRig([])
        rig.load(TrackerRig.tree())
        #expect(rig.after { $0.replace([TrackerRig.strap], at: $1) } == [.connect])
    }

    @Test func `a wearable that is added right after its pairing is taken with the link it has`() {
        var rig = TrackerRig([])
        rig.load(TrackerRig.tree())
        #expect(rig.link(isUp: true) == [])
        #expect(rig.after { $0.replace([TrackerRig.strap], at: $1) } == [.startNotify])
    }

    @Test func `the same wearables change nothing`() {
        var rig = TrackerRig()
        rig.subscribe()
        #expect(rig.after { $0.replace([TrackerRig.strap], at: $1) } == [])
        #expect(rig.events.isEmpty)
    }

    @Test func `a replied connect of one that is gone holds up nobody`() {
        var rig = TrackerRig([TrackerRig.strap])
        rig.load([
            TrackerRig.hci0: TrackerRig.adapter(), TrackerRig.device: TrackerRig.device(),
            TrackerRig.other: TrackerRig.device(TrackerRig.band),
        ])
        #expect(rig.open(.connect) == [TrackerRig.device])
        rig.after { $0.replace([TrackerRig.band], at: $1) }
        #expect(rig.open(.disconnect) == [TrackerRig.device])
        rig.answer(.disconnect)
        #expect(rig.open(.connect).contains(TrackerRig.other))
    }
}
