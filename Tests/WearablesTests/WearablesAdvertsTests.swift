import GatewayModel
import Systemd
import Testing
import WireFormats

@testable import Wearables

/// Adverts through bluetoothd's discovery.
@Suite struct `Adverts through bluetoothd` {
    private static let tag = "/org/bluez/hci0/dev_tag"
    private static let address = DeviceAddress("C0:FF:EE:00:00:05")!
    private static let press: [UInt8] = [0x44, 0x3A, 0x01]

    private static func data(_ bytes: [UInt8], _ uuid: UInt16 = 0xFCD2) -> [String: BusValue] {
        ["ServiceData": .dictionary([.string(BluetoothUUID(assigned: uuid).description): .bytes(bytes)])]
    }

    private static func shown(isHeard: Bool = true, _ more: [String: BusValue] = [:]) -> BlueZInterfaces {
        var properties: [String: BusValue] = [
            "Address": .string(address.description), "Adapter": .objectPath(TrackerRig.hci0),
        ]
        if isHeard { properties["RSSI"] = .int16(-60) }
        return [BlueZ.device: properties.merging(more) { $1 }]
    }

    private static func adverts(_ rig: TrackerRig) -> [[UInt8]] {
        rig.events.compactMap {
            if case .advertised(address, let data, _) = $0 { data } else { nil }
        }
    }

    private static func listening(_ wearables: [Wearable] = []) -> TrackerRig {
        var rig = TrackerRig(wearables)
        rig.after { $0.hearAdverts(true, at: $1) }
        rig.load([TrackerRig.hci0: TrackerRig.adapter()])
        return rig
    }

    @Test func `keep discovery on with nothing to connect to, and ask for repetitions`() {
        var rig = TrackerRig([])
        #expect(rig.load([TrackerRig.hci0: TrackerRig.adapter()]) == [])
        #expect(rig.after { $0.hearAdverts(true, at: $1) } == [.setDiscoveryFilter, .startDiscovery])
        #expect(rig.calls[0].call == .setDiscoveryFilter(TrackerRig.hci0, repeats: true))
        rig.answer(.setDiscoveryFilter)
        rig.answer(.startDiscovery)
        #expect(rig.after { $0.hearAdverts(false, at: $1) } == [.stopDiscovery])
        #expect(rig.answer(.stopDiscovery) == [])
    }

    @Test func `start a discovery anew that was on without repetitions, even one that was just being started`()
    {
        var rig = TrackerRig()
        #expect(rig.load([TrackerRig.hci0: TrackerRig.adapter()]) == [.setDiscoveryFilter, .startDiscovery])
        #expect(rig.after { $0.hearAdverts(true, at: $1) } == [])
        rig.answer(.setDiscoveryFilter)
        #expect(rig.answer(.startDiscovery) == [.stopDiscovery])
        #expect(rig.answer(.stopDiscovery) == [.setDiscoveryFilter, .startDiscovery])
        #expect(rig.calls.first?.call == .setDiscoveryFilter(TrackerRig.hci0, repeats: true))
    }

    @Test func `are told each time, first of all, with the UUID before them`() {
        var rig = Self.listening()
        rig.after { $0.interfacesAdded(Self.tag, Self.shown(isHeard: true, Self.data(Self.press)), at: $1) }
        rig.change(Self.tag, BlueZ.device, Self.data(Self.press))
        rig.change(Self.tag, BlueZ.device, Self.data([0x44, 0x01, 0x61]).merging(["RSSI": .int16(-61)]) { $1 })
        #expect(
            Self.adverts(rig) == [
                [0xD2, 0xFC] + Self.press, [0xD2, 0xFC] + Self.press, [0xD2, 0xFC, 0x44, 0x01, 0x61],
            ])
    }

    @Test func `that bluetoothd remembers from before are not told: the press may be hours old`() {
        var rig = TrackerRig([])
        rig.after { $0.hearAdverts(true, at: $1) }
        rig.load([
            TrackerRig.hci0: TrackerRig.adapter(), Self.tag: Self.shown(isHeard: true, Self.data(Self.press)),
        ])
        rig.after { $0.interfacesAdded(Self.tag, Self.shown(isHeard: false, Self.data(Self.press)), at: $1) }
        #expect(Self.adverts(rig).isEmpty)
    }

    @Test func `of another service, of another type, or unasked for, are none`() {
        var rig = Self.listening()
        rig.after { $0.interfacesAdded(Self.tag, Self.shown(), at: $1) }
        rig.change(Self.tag, BlueZ.device, Self.data([1], 0x180F))
        rig.change(Self.tag, BlueZ.device, ["ServiceData": .string("x")])
        rig.change("/unknown", BlueZ.device, Self.data(Self.press))
        rig.after { $0.hearAdverts(false, at: $1) }
        rig.change(Self.tag, BlueZ.device, Self.data(Self.press))
        #expect(Self.adverts(rig).isEmpty)
    }
}
