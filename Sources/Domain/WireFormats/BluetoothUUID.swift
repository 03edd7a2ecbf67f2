/// A UUID of the attribute protocol, in the form BlueZ shows: 128 bits, lower case.
public struct BluetoothUUID: Hashable, Sendable, CustomStringConvertible {
    public let description: String

    /// A 16-bit number assigned by the Bluetooth SIG, on the Base UUID (Core 5.4, Vol 3, Part B, 2.5.1).
    public init(assigned number: UInt16) {
        let digits = String(number, radix: 16)
        let padding = String(repeating: "0", count: 8 - digits.count)
        description = padding + digits + "-0000-1000-8000-00805f9b34fb"
    }

    /// Nil unless `text` is a UUID in its 36-character form; either case.
    public init?(_ text: String) {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12],
            groups.allSatisfy({ group in group.allSatisfy { $0.isASCII && $0.isHexDigit } })
        else { return nil }
        description = text.lowercased()
    }
}
