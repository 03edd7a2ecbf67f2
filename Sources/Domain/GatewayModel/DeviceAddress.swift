/// A Bluetooth device address as BlueZ writes it: six octets, most significant first.
public struct DeviceAddress: Hashable, Sendable, CustomStringConvertible {
    /// Upper-case hexadecimal with colons, `C0:FF:EE:00:00:01`.
    public let description: String

    /// Nil unless `text` is six two-digit hexadecimal octets parted by colons, in either case.
    public init?(_ text: String) {
        let octets = text.split(separator: ":", omittingEmptySubsequences: false)
        guard octets.count == 6,
            octets.allSatisfy({ octet in
                octet.utf8.count == 2 && octet.allSatisfy(\.isHexDigit) && octet.utf8.allSatisfy { $0 < 0x80 }
            })
        else { return nil }
        self.description = text.uppercased()
    }
}
