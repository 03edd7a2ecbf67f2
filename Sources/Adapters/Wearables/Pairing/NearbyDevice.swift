public import GatewayModel
public import WireFormats

/// A device as bluetoothd shows it.
public struct NearbyDevice: Hashable, Sendable {
    public let address: DeviceAddress
    /// As the device calls itself, which may be anything: to be cleaned before it is shown.
    public let name: String?
    /// In dBm, as last heard; nil where it was not heard in this discovery.
    public let signal: Int?
    public let services: [GATTService]
    public let isPaired: Bool
    public let isBonded: Bool
    public let isTrusted: Bool
    public let isConnected: Bool
    /// In percent; nil where bluetoothd does not know it.
    public let battery: Int?
    /// `hci0`
    public let adapter: String

    public init(
        address: DeviceAddress, name: String?, signal: Int?, services: [GATTService], isPaired: Bool,
        isBonded: Bool, isTrusted: Bool, isConnected: Bool, battery: Int?, adapter: String
    ) {
        self.address = address
        self.name = name
        self.signal = signal
        self.services = services
        self.isPaired = isPaired
        self.isBonded = isBonded
        self.isTrusted = isTrusted
        self.isConnected = isConnected
        self.battery = battery
        self.adapter = adapter
    }
}
