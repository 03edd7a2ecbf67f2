import GatewayModel
import WireFormats

/// What a device has said of itself on this connection, and what was made of it.
struct DeviceMemory: Hashable, Sendable {
    private(set) var information = DeviceInformation()
    private var percent: Int?

    /// Battery Level, 0x2A19: percent. 101 to 255 are reserved and say nothing.
    mutating func battery(_ bytes: [UInt8], of device: DeviceID) -> [WearableEvent] {
        guard let first = bytes.first, first <= 100, percent != Int(first) else { return [] }
        percent = Int(first)
        return [.battery(device, percent: Int(first))]
    }

    mutating func detail(_ characteristic: BluetoothUUID, _ bytes: [UInt8], of device: DeviceID)
        -> [WearableEvent]
    {
        let before = information
        information.take(characteristic, bytes)
        return information == before ? [] : [.information(device, information)]
    }
}
