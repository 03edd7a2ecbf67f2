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

    /// A random address that changes every few minutes and that a holder of the key can resolve: the two most
    /// significant bits are 01 (Core 5.4, Vol 6, Part B, 1.3.2.2).
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

/// Finds the device behind a resolvable private address, for devices with a known identity resolving key (Core
/// 5.4, Vol 6, Part B, 1.3.2.3).
///
/// An address lives for about 15 minutes and is heard many times a second, so answers are kept, "nobody
/// known" too: the cipher runs once an address and key.
public struct IdentityResolver: Sendable {
    /// Strangers' addresses fill it too: a crowd of 1,000 phones, each with a new address every 15 minutes,
    /// clears it about every hour, at the cost of asking again for those in use.
    static let capacity = 4_096

    /// Of the devices known.
    public let keys: [AES128Key]
    private let cipher: any AdvertisingCipher
    private var known: [UInt64: Int?] = [:]

    public init(_ keys: [AES128Key], cipher: any AdvertisingCipher) {
        self.keys = keys
        self.cipher = cipher
    }

    /// Whether `address` is answered at once: the cipher has not to be asked once a key.
    public func knows(_ address: RadioAddress) -> Bool {
        !address.isResolvablePrivate || keys.isEmpty || known[address.octets] != nil
    }

    /// The place among `keys` of the one that `address` was made with; nil where it is not resolvable, or by none.
    public mutating func index(of address: RadioAddress) -> Int? {
        guard address.isResolvablePrivate, !keys.isEmpty else { return nil }
        if let answer = known[address.octets] { return answer }
        let found = keys.firstIndex { matches(address.octets, $0) }
        if known.count >= Self.capacity { known.removeAll(keepingCapacity: true) }
        known[address.octets] = .some(found)
        return found
    }

    /// The lower half of the address is `ah` of the key and the upper half (Core 5.4, Vol 3, Part H, 2.2.2):
    /// the last 24 bits of the cipher over the upper half, padded with zeros in front.
    private func matches(_ octets: UInt64, _ key: AES128Key) -> Bool {
        let random = octets >> 24
        var block = [UInt8](repeating: 0, count: 16)
        for index in 0..<3 { block[15 - index] = UInt8(truncatingIfNeeded: random >> UInt64(index * 8)) }
        guard let hash = cipher.encryptBlock(block, key: key), hash.count == 16 else { return false }
        let local = UInt64(hash[13]) << 16 | UInt64(hash[14]) << 8 | UInt64(hash[15])
        return local == octets & 0xFF_FFFF
    }
}
