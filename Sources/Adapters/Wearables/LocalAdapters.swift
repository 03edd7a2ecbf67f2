import CBlueZ
public import GatewayModel
import Glibc

/// A Bluetooth adapter as the kernel sees it, whatever bluetoothd shows.
public struct LocalAdapter: Hashable, Sendable {
    /// The kernel's number, of which the name is made; given anew when an adapter is plugged in again.
    public let number: UInt16
    /// `hci0`.
    public let name: String
    public let address: DeviceAddress
    public let isUp: Bool
}

/// The kernel's own list of adapters. Tells "there is none" from "bluetoothd does not show it".
public enum LocalAdapters {
    public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// The kernel was built or started without Bluetooth (EAFNOSUPPORT).
        case noBluetoothInKernel
        /// The kernel refused (EPERM in a sandbox, for one).
        case refused(number: Int32)

        public var description: String {
            switch self {
            case .noBluetoothInKernel:
                "this kernel has no Bluetooth: load it (modprobe bluetooth), or use a kernel that has it"
            case .refused(let number):
                "the kernel does not list its Bluetooth adapters: \(String(cString: strerror(number)))"
            }
        }
    }

    /// Asks the kernel (ioctl HCIGETDEVINFO) for each adapter number it may give out. Any thread; takes
    /// microseconds and needs no privilege.
    public static func list() throws(Failure) -> [LocalAdapter] {
        var adapters: [LocalAdapter] = []
        for number in 0..<Int32(HCI_MAX_DEV) {
            if let adapter = try adapter(number) { adapters.append(adapter) }
        }
        return adapters
    }

    /// Nil where the kernel has no adapter of that number.
    private static func adapter(_ number: Int32) throws(Failure) -> LocalAdapter? {
        var info = hci_dev_info()
        guard hci_devinfo(number, &info) < 0 else { return adapter(info) }
        switch errno {
        case ENODEV: return nil
        case EAFNOSUPPORT, EPROTONOSUPPORT: throw .noBluetoothInKernel
        case let number: throw .refused(number: number)
        }
    }

    private static func adapter(_ info: hci_dev_info) -> LocalAdapter? {
        // Least significant octet first in memory, the other way round on paper.
        let octets = withUnsafeBytes(of: info.bdaddr) { $0.reversed() }
        let text = octets.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: ":")
        guard let address = DeviceAddress(text) else { return nil }
        let name = withUnsafeBytes(of: info.name) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        let isUp = info.flags & (1 << UInt32(HCI_UP)) != 0
        return LocalAdapter(number: info.dev_id, name: name, address: address, isUp: isUp)
    }
}
