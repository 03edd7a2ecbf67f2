import Glibc

/// How a SIP server is reached now: its address, and ours towards it.
public struct SIPRoute: Hashable, Sendable {
    /// Numeric.
    public let address: String
    public let port: UInt16
    /// Numeric: what the kernel would send from.
    public let source: String

    /// Nil where there is no route there.
    public init?(to address: String, port: UInt16) {
        guard let source = Self.source(towards: address, port: port) else { return nil }
        self.address = address
        self.port = port
        self.source = source
    }

    /// Whether the kernel still sends from the same address: a new lease or another interface changes it.
    public var isCurrent: Bool { Self.source(towards: address, port: port) == source }

    /// `sip:192.0.2.1:5060;transport=tcp`.
    func uri(_ transport: SIPServer.Transport) -> String {
        "sip:\(address.contains(":") ? "[\(address)]" : address):\(port);transport=\(transport.name)"
    }

    /// connect(2) on a datagram socket sends nothing; it only asks the routing table.
    private static func source(towards address: String, port: UInt16) -> String? {
        guard let target = addresses(of: address, port: port, flags: AI_NUMERICHOST).first else { return nil }
        let descriptor = socket(
            Int32(target.family), Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { own in
                let isRouted = target.bytes.withUnsafeBytes { bytes in
                    connect(
                        descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress,
                        socklen_t(bytes.count)) == 0
                }
                guard isRouted, getsockname(descriptor, own, &length) == 0 else { return nil }
                return numeric(own, length)
            }
        }
    }

    /// Blocks on the system's resolver unless `flags` has AI_NUMERICHOST.
    /// - Returns: numeric addresses in the resolver's order (RFC 6724); empty where there is none.
    public static func lookUp(_ host: String, port: UInt16, flags: Int32 = 0) -> [String] {
        addresses(of: host, port: port, flags: flags).compactMap { address in
            address.bytes.withUnsafeBytes { bytes in
                numeric(bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count))
            }
        }
    }

    private static func addresses(of host: String, port: UInt16, flags: Int32) -> [(
        family: Int32, bytes: [UInt8]
    )] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        hints.ai_flags = flags
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        return sequence(first: list) { $0?.pointee.ai_next }.compactMap { $0 }.prefix(16).map { entry in
            let bytes = UnsafeRawBufferPointer(
                start: entry.pointee.ai_addr, count: Int(entry.pointee.ai_addrlen))
            return (entry.pointee.ai_family, Array(bytes))
        }
    }

    private static func numeric(_ address: UnsafePointer<sockaddr>?, _ length: socklen_t) -> String? {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 else {
            return nil
        }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// Account of this box at a SIP server.
public struct SIPCredentials: Hashable, Sendable, CustomStringConvertible {
    public let user: String
    let password: String

    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }

    /// Without the password: this may end in a log.
    public var description: String { "user \(user)" }
}
