import GatewayModel
import HostileInput
import SeededRandom
import Systemd
import Testing

@testable import Wearables

/// Inputs of broken or hostile senders: an answer, an error, and never the end of the process.
@Suite(.serialized) struct `Hostile input` {
    /// bluetoothd is trusted least where it is not the one of the system.
    @Test func `in values of bluetoothd ends nothing`() {
        var rig = HostileBus(seed: Campaign("bluetoothd").seed)
        // What is mutated is a number: it chooses the signal, by the generator of the rig.
        Campaign("bluetoothd").run(seeds: [[0, 0, 0, 0, 0, 0, 0, 0]], words: ["\u{0}", "a"]) { bytes in
            rig.take(bytes)
        }
    }
}

/// A bluetoothd that says anything: any member with values of any type, about objects that exist and others.
private struct HostileBus {
    private var rig = TrackerRig([TrackerRig.strap, TrackerRig.band])
    private var generator: SeededGenerator
    private var count = 0

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        begin()
    }

    private mutating func begin() {
        rig = TrackerRig([TrackerRig.strap, TrackerRig.band])
        rig.load(TrackerRig.tree())
    }

    mutating func take(_ bytes: [UInt8]) {
        count += 1
        if count.isMultiple(of: 500) { begin() }
        let signal = BusSignal(
            path: path(), interface: interface(),
            member: ["InterfacesAdded", "InterfacesRemoved", "PropertiesChanged", "NameOwnerChanged", "x"]
                .randomElement(
                    using: &generator) ?? "", arguments: arguments(bytes))
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
            if let call = rig.calls.randomElement(using: &generator) {
                rig.calls.removeAll { $0.id == call.id }
                let reply: BusConnection.Reply =
                    Bool.random(using: &generator)
                    ? .success(arguments(bytes))
                    : .failure(.remote(name: "org.bluez.Error.Failed", message: "\(bytes)"))
                rig.after { $0.replied(call.id, reply, at: $1) }
            }
        case 1: rig.wait(.milliseconds(Int64.random(in: 0...3_000, using: &generator)))
        default: deliver(signal)
        }
        _ = BlueZSignal.tree(signal.arguments)
    }

    private mutating func deliver(_ signal: BusSignal) {
        switch BlueZSignal(signal) {
        case .added(let path, let interfaces): rig.after { $0.interfacesAdded(path, interfaces, at: $1) }
        case .removed(let path, let interfaces): rig.after { $0.interfacesRemoved(path, interfaces, at: $1) }
        case .changed(let path, let interface, let properties, let invalidated):
            rig.change(path, interface, properties, invalidated: invalidated)
        case .owner(let isPresent):
            rig.after { $0.nameOwnerChanged(isPresent: isPresent, at: $1) }
            rig.load(TrackerRig.tree())
        case nil: break
        }
    }

    private mutating func path() -> String {
        [
            TrackerRig.hci0, TrackerRig.device, TrackerRig.other, TrackerRig.service, TrackerRig.characteristic,
            "/", "",
            TrackerRig.device + "/service000a/char00ff",
        ].randomElement(using: &generator) ?? ""
    }

    private mutating func interface() -> String {
        [BlueZ.adapter, BlueZ.device, BlueZ.gattService, BlueZ.characteristic, BlueZ.properties, "x"]
            .randomElement(
                using: &generator) ?? ""
    }

    private mutating func properties(_ bytes: [UInt8], _ depth: Int) -> BusValue {
        let names = [
            "Address", "Powered", "Discovering", "Adapter", "Connected", "Paired", "ServicesResolved", "UUIDs",
            "RSSI", "UUID",
            "Device", "Service", "Flags", "Value", "ServiceData", "ManufacturerData", "Name", "Notifying", "",
        ]
        var entries: [BusValue: BusValue] = [:]
        for _ in 0..<Int.random(in: 0...5, using: &generator) {
            entries[.string(names.randomElement(using: &generator) ?? "")] = value(bytes, depth + 1)
        }
        return .dictionary(entries)
    }

    private mutating func interfaces(_ bytes: [UInt8], _ depth: Int) -> BusValue {
        .dictionary([.string(interface()): properties(bytes, depth + 1)])
    }

    private mutating func value(_ bytes: [UInt8], _ depth: Int = 0) -> BusValue {
        let texts = [
            TrackerRig.strap.address.description, TrackerRig.device, BlueZ.service,
            "0000180d-0000-1000-8000-00805f9b34fb",
            "0000fcd2-0000-1000-8000-00805f9b34fb", "notify", "",
            String(decoding: bytes.prefix(40), as: UTF8.self),
        ]
        let text = texts.randomElement(using: &generator) ?? ""
        switch Int.random(in: 0..<(depth > 3 ? 9 : 14), using: &generator) {
        case 0: return .string(text)
        case 1: return .objectPath(path())
        case 2: return .bool(.random(using: &generator))
        case 3: return .bytes(Array(bytes.prefix(600)))
        case 4: return .int16(.random(in: .min ... .max, using: &generator))
        case 5: return .uint16(.random(in: .min ... .max, using: &generator))
        case 6: return .double([.nan, .infinity, -0, 1e308].randomElement(using: &generator) ?? 0)
        case 7: return .uint64(.max)
        case 8: return .other(signature: "(((((v)))))")
        case 9:
            return .array((0..<Int.random(in: 0...3, using: &generator)).map { _ in value(bytes, depth + 1) })
        case 10: return .structure([value(bytes, depth + 1)])
        case 11: return .array([.string(text), .string("notify"), .string("read")])
        case 12: return interfaces(bytes, depth)
        default: return properties(bytes, depth)
        }
    }

    private mutating func arguments(_ bytes: [UInt8]) -> [BusValue] {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: [.objectPath(path()), interfaces(bytes, 0)]
        case 1: [.string(interface()), properties(bytes, 0), .array([.string("RSSI")])]
        case 2: [.objectPath(path()), .array([.string(interface())])]
        case 3:
            [.string(BlueZ.service), .string(":1.2"), .string(Bool.random(using: &generator) ? ":1.3" : "")]
        case 4:
            [
                .string(BlueZ.characteristic),
                .dictionary([.string("Value"): .bytes(Array(bytes.prefix(600)))]), .array([]),
            ]
        default: (0..<Int.random(in: 0...3, using: &generator)).map { _ in value(bytes) }
        }
    }
}
