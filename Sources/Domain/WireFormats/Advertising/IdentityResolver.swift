/// Finds who is behind a resolvable private address, for devices whose identity resolving key is known
/// (Core 5.4, Vol 6, Part B, 1.3.2.3).
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
