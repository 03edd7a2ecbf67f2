import Glibc

/// IPv4 or IPv6 address. An IPv4 address that is written as an IPv6 one (RFC 4291 section 2.5.5.2) is the IPv4 address.
public struct IPAddress: Hashable, Sendable {
    private static let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

    /// 4 or 16 bytes in network order.
    public let bytes: [UInt8]

    /// Nil for another text, also for one with a port, a zone or brackets.
    public init?(_ text: some StringProtocol) {
        var storage = in6_addr()
        let text = String(text)
        let family = text.contains(":") ? AF_INET6 : AF_INET
        guard inet_pton(family, text, &storage) == 1 else { return nil }
        let read = withUnsafeBytes(of: &storage) { Array($0.prefix(family == AF_INET ? 4 : 16)) }
        bytes = read.starts(with: Self.mappedPrefix) ? Array(read.suffix(4)) : read
    }
}

/// Addresses with the same first bits: `10.0.0.0/8`, `2001:db8::/32`, or one address.
public struct IPNetwork: Hashable, Sendable, CustomStringConvertible {
    public let description: String
    private let first: IPAddress
    private let bits: Int

    /// Nil for another text, and where bits behind the prefix are set: a mistake in one of the two.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let first = IPAddress(parts[0]) else { return nil }
        var bits = first.bytes.count * 8
        if parts.count == 2 {
            guard let written = Int(parts[1]), String(written) == parts[1], (0...bits).contains(written) else {
                return nil
            }
            bits = written
        }
        (description, self.first, self.bits) = (text, first, bits)
        let isClean = first.bytes.enumerated().allSatisfy { place, byte in byte & ~mask(of: place) == 0 }
        guard isClean else { return nil }
    }

    public func contains(_ address: IPAddress) -> Bool {
        address.bytes.count == first.bytes.count
            && zip(first.bytes, address.bytes).enumerated().allSatisfy { place, pair in
                pair.0 == pair.1 & mask(of: place)
            }
    }

    /// Bits of the prefix in a byte.
    private func mask(of place: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: 0xFF00 >> min(max(bits - place * 8, 0), 8))
    }
}
