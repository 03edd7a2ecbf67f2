import GatewayModel
import Systemd
import WireFormats

// Adverts as bluetoothd's discovery shows them, for where the kernel does not let us hear them ourselves.

extension WearableTracker {
    mutating func hearAdverts(_ isOn: Bool, at now: BootInstant) -> [Action] {
        event(at: now) { tracker in tracker.hearsAdverts = isOn }
    }

    mutating func tellAdvert(_ path: String, _ properties: [String: BusValue], at now: BootInstant) {
        for event in adverts(path, properties, at: now) { emit(event) }
    }

    /// - Parameter properties: just told by a signal: what the tree held at the start may be hours old, a
    ///   button that was pressed then.
    func adverts(_ path: String, _ properties: [String: BusValue], at now: BootInstant) -> [WearableEvent] {
        guard hearsAdverts, let data = properties["ServiceData"]?.properties,
            let address = objects.devices[path]?.address,
            let bytes = data.first(where: { BluetoothUUID($0.key) == Self.btHome })?.value.bytes
        else { return [] }
        let service = [UInt8(truncatingIfNeeded: BTHomeAdvert.service), UInt8(BTHomeAdvert.service >> 8)]
        return [.advertised(address, serviceData: service + bytes, at: now)]
    }

    private static let btHome = BluetoothUUID(assigned: BTHomeAdvert.service)
}
