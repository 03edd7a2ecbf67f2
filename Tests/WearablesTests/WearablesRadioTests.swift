import ModelSamples
import RealTime
import Systemd
import Testing
import WireFormats

@testable import GatewayModel
@testable import Wearables

@Suite struct WearableRadioChoiceTests {
    @Test func `an adapter that is off is named and nothing is asked of it`() {
        var rig = TrackerRig()
        #expect(rig.load([TrackerRig.hci0: TrackerRig.adapter(isPowered: false)]) == [])
        #expect(
            rig.events == [
                .bluetooth(available: false, reason: Availability.poweredOff(adapter: "hci0").reason)
            ])
        #expect(rig.change(TrackerRig.hci0, BlueZ.adapter, ["Powered": .bool(true)]).contains(.startDiscovery))
    }

    @Test func `an adapter that the settings name is not replaced by another`() {
        var rig = TrackerRig(adapter: "hci7")
        #expect(rig.load(TrackerRig.tree()) == [])
        guard case .bluetooth(false, let reason)? = rig.events.first else { return #expect(Bool(false)) }
        #expect(reason.contains("hci0") && reason.contains("hci7"))
    }

    @Test(arguments: ["hci0", "00:1B:DC:07:31:01", "00:1b:dc:07:31:01"])
    func `an adapter is named by name or address`(_ name: String) {
        var rig = TrackerRig(adapter: name)
        #expect(rig.load(TrackerRig.tree()) == [.connect])
    }

    @Test func `a scan that ends by itself is started again`() {
        var rig = TrackerRig()
        rig.load([TrackerRig.hci0: TrackerRig.adapter()])
        rig.answer(.startDiscovery)
        rig.change(TrackerRig.hci0, BlueZ.adapter, ["Discovering": .bool(true)])
        rig.change(TrackerRig.hci0, BlueZ.adapter, ["Discovering": .bool(false)])
        #expect(rig.wait(.seconds(1)).contains(.startDiscovery))
    }

    @Test func `a scan that the controller has refused is started again`() {
        var rig = TrackerRig()
        rig.load([TrackerRig.hci0: TrackerRig.adapter()])
        // As bluetoothd tells of it; the adapter never discovers.
        rig.answer(.startDiscovery, "org.bluez.Error.InProgress")
        #expect(rig.wait(.seconds(2)).contains(.startDiscovery))
        rig.change(TrackerRig.hci0, BlueZ.adapter, ["Discovering": .bool(true)])
        rig.answer(.startDiscovery, "org.bluez.Error.InProgress")
        #expect(!rig.wait(.seconds(10)).contains(.startDiscovery), "it runs already")
    }

    @Test func `a scan that never became one is ended and started again`() {
        var rig = TrackerRig()
        rig.load([TrackerRig.hci0: TrackerRig.adapter()])
        rig.answer(.startDiscovery)
        #expect(rig.wait(RadioRecovery.deafLimit).contains(.stopDiscovery))
        #expect(rig.answer(.stopDiscovery).contains(.startDiscovery))
    }

    @Test func `with every link up the scan ends`() {
        var rig = TrackerRig()
        rig.load([TrackerRig.hci0: TrackerRig.adapter()])
        rig.answer(.startDiscovery)
        rig.after { $0.interfacesAdded(TrackerRig.device, TrackerRig.device(isConnected: true), at: $1) }
        #expect(rig.calls.last?.call.method == .stopDiscovery)
    }

    @Test func `a notification of a known characteristic goes straight on and a strangers is nothing`() {
        var rig = TrackerRig()
        rig.subscribe()
        rig.change(TrackerRig.characteristic, BlueZ.characteristic, ["Value": .bytes([0, 72])])
        rig.change("/org/bluez/hci0/dev_x/char1", BlueZ.characteristic, ["Value": .bytes([0, 73])])
        #expect(rig.notified == [[0, 72]])
        #expect(rig.events.isEmpty)
    }

    @Test func `a notification of a known wearable that nobody judges is told`() {
        var rig = TrackerRig()
        let maker = TrackerRig.row(0xFFF1, in: "fff0", "notify")
        let name = TrackerRig.row(0x2A24, in: "180a", "read")
        rig.load(TrackerRig.tree([TrackerRig.row(0x2A37, in: "180d", "notify"), maker, name]))
        rig.answerAll(.startNotify)
        rig.events = []
        for path in [maker.path, TrackerRig.device + "/service0099/char009a", name.path] {
            rig.change(path, BlueZ.characteristic, ["Value": .bytes([1])])
        }
        let device = TrackerRig.strap.id
        // The last is the answer to a read.
        #expect(rig.events == [.ignored(device, BluetoothUUID(assigned: 0xFFF1)), .ignored(device, nil)])
        #expect(rig.notified.isEmpty)
    }

    @Test func `stopping ends notifications and nothing follows`() {
        var rig = TrackerRig()
        rig.subscribe()
        #expect(rig.after { tracker, _ in tracker.stop() } == [.stopNotify])
        #expect(rig.link(isUp: false) == [])
        rig.answer(.stopNotify)
        #expect(!rig.tracker.isAwaitingReply)
    }

    @Test(
        arguments: [(0x00, SensorContact.unknown), (0x04, .lost), (0x06, .detected)] as [(UInt8, SensorContact)]
    )
    func `a notification is one reading with its contact`(_ flags: UInt8, _ contact: SensorContact) {
        let arrival = Moment(
            boot: BootInstant(nanoseconds: 5), wall: WallTime(millisecondsSince1970: 1_700_000_000_000))
        let notification = Notification(
            wearable: TrackerRig.strap, characteristic: .heartRateMeasurement, bytes: [flags, 72],
            arrival: arrival, zone: .fixed(eastOfUTC: 0), gateway: GatewayID(sample: "house-12"))
        var memory = DeviceMemory()
        var random = MessageIDSequence(SystemRandomNumberGenerator())
        guard case .reading(let reading)? = notification.events(knowing: &memory, using: &random).first else {
            return #expect(Bool(false))
        }
        #expect(reading.quantity == Quantity(.heartRate, 72))
        #expect(reading.contact == contact)
        #expect(reading.arrival == arrival)
        #expect(reading.person == TrackerRig.strap.person)
    }
}
