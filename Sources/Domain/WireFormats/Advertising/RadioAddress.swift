public import GatewayModel

/// The address of an advertiser as the controller reports it (Core 5.4, Vol 6, Part B, 1.3).
public struct RadioAddress: Hashable, Sendable {
    /// Address_Type of the advertising reports (Core 5.4, Vol 4, Part E, 7.7.65.2 and 7.7.65.13).
    public enum Kind: Hashable, Sendable {
        case `public`, random
        /// Resolved by the controller itself, from a resolving list that the host gave it.
        case publicIdentity, randomIdentity
        /// An extended advertisement without an address; the octets mean nothing.
        case anonymous
        case other(UInt8)

        init(code: UInt8) {
            self =
                switch code {
                case 0x00: .public
                case 0x01: .random
                case 0x02: .publicIdentity
                case 0x03: .randomIdentity
                case 0xFF: .anonymous
                default: .other(code)
                }
        }
    }

    /// The six octets as one number, the first octet on paper as the most significant.
    public let octets: UInt64
    public let kind: Kind

    public init(octets: UInt64, kind: Kind) {
        self.octets = octets & 0xFFFF_FFFF_FFFF
        self.kind = kind
    }

    public init(_ address: DeviceAddress, kind: Kind) {
        self.init(octets: address.octets, kind: kind)
    }

    /// Least significant octet first, as HCI sends it. The caller has checked that six are there.
    init(in bytes: Span<UInt8>, at offset: Int, kind: Kind) {
        octets = UInt64(bytes.littleUInt32(at: offset)) | UInt64(bytes.littleUInt16(at: offset + 4)) << 32
        self.kind = kind
    }

    public var deviceAddress: DeviceAddress { DeviceAddress(octets: octets) }

    /// A random address that changes every few minutes and that whoever has the key can resolve: the two
    /// most significant bits are 01 (Core 5.4, Vol 6, Part B, 1.3.2.2).
    public var isResolvablePrivate: Bool { kind == .random && octets >> 46 == 0b01 }
}

extension DeviceAddress {
    /// The six octets as one number, the first octet on paper as the most significant.
    public var octets: UInt64 {
        description.utf8.reduce(0) { number, character in
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number << 4 | UInt64(character - UInt8(ascii: "0"))
            case UInt8(ascii: "A")...UInt8(ascii: "F"): number << 4 | UInt64(character - UInt8(ascii: "A") + 10)
            default: number
            }
        }
    }

    /// - Parameter octets: the lower 48 bits count.
    public init(octets: UInt64) {
        let digits = String(octets & 0xFFFF_FFFF_FFFF, radix: 16)
        let padded = Array(String(repeating: "0", count: 12 - digits.count) + digits)
        let text = stride(from: 0, to: 12, by: 2).map { String(padded[$0...$0 + 1]) }.joined(separator: ":")
        guard let address = DeviceAddress(text) else {
            preconditionFailure("twelve hexadecimal digits are six octets")
        }
        self = address
    }
}
