import Glibc

/// Rule for the address of a peer, where a stranger chose its name: it must be one of the public internet.
///
/// A server in a data centre reaches services that trust everybody inside: metadata, databases, the broker, itself.
public final class AddressRule: Sendable {
    private let allowsLoopback: Bool

    /// - Parameter allowsLoopback: for tests on this machine alone.
    public init(allowsLoopback: Bool = false) { self.allowsLoopback = allowsLoopback }

    /// - Parameter address: a `sockaddr` with its length.
    func allows(_ address: UnsafeRawBufferPointer) -> Bool {
        guard address.count >= MemoryLayout<sa_family_t>.size else { return false }
        switch Int32(address.loadUnaligned(as: sa_family_t.self)) {
        case AF_INET where address.count >= MemoryLayout<sockaddr_in>.size:
            let start = MemoryLayout<sockaddr_in>.offset(of: \.sin_addr) ?? 4
            return allows(version4: Array(address[start..<start + 4]))
        case AF_INET6 where address.count >= MemoryLayout<sockaddr_in6>.size:
            let start = MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr) ?? 8
            return allows(version6: Array(address[start..<start + 16]))
        default: return false
        }
    }

    /// Four bytes in network order.
    public func allows(version4 bytes: [UInt8]) -> Bool {
        guard bytes.count == 4 else { return false }
        switch (bytes[0], bytes[1], bytes[2]) {
        case (127, _, _): return allowsLoopback
        // IANA's registry of special-purpose addresses: this network, private, shared by a provider, link-local, IETF,
        // documentation, 6to4 relays, private, benchmarks, documentation, multicast and reserved.
        case (0, _, _), (10, _, _), (100, 64...127, _), (169, 254, _), (172, 16...31, _), (192, 0, 0),
            (192, 0, 2),
            (192, 88, 99), (192, 168, _), (198, 18...19, _), (198, 51, 100), (203, 0, 113), (224..., _, _):
            return false
        default: return true
        }
    }

    /// Sixteen bytes in network order.
    public func allows(version6 bytes: [UInt8]) -> Bool {
        guard bytes.count == 16 else { return false }
        if bytes[..<15].allSatisfy({ $0 == 0 }) && bytes[15] == 1 { return allowsLoopback }
        // IPv4 in IPv6: mapped, and by the translators of RFC 6052 and RFC 8215.
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        if bytes.starts(with: mapped) { return allows(version4: Array(bytes[12...])) }
        if bytes.starts(with: [0x00, 0x64, 0xFF, 0x9B]) { return false }
        // Only 2000::/3 is global unicast. In it: IETF and Teredo 2001::/23, documentation, 6to4, and documentation.
        guard bytes[0] & 0xE0 == 0x20 else { return false }
        switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
        case (0x20, 0x01, 0x00...0x01, _), (0x20, 0x01, 0x0D, 0xB8), (0x20, 0x02, _, _),
            (0x3F, 0xFF, 0x00...0x0F, _):
            return false
        default: return true
        }
    }
}
