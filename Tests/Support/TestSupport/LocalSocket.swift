import Glibc

/// Sockets in the file system and on the loopback interface, as few calls as the tests need.
public enum LocalSocket {
    public static func connect(to path: String) throws -> Int32 {
        try open(SOCK_STREAM, path, "connect") { Glibc.connect($0, $1, $2) }
    }

    /// A datagram socket bound to `path`.
    public static func bindDatagram(to path: String) throws -> Int32 {
        try open(SOCK_DGRAM, path, "bind") { Glibc.bind($0, $1, $2) }
    }

    private static func open(
        _ type: __socket_type, _ path: String, _ doing: String,
        _ use: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let descriptor = socket(AF_UNIX, Int32(type.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                use(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else {
            defer { close(descriptor) }
            throw SystemFailure(call: "\(doing) \(path)", number: errno)
        }
        return descriptor
    }
}

/// A port of 127.0.0.1 that only knows whether anyone came.
public final class BarePort: Sendable {
    public let port: UInt16
    private let descriptor: Int32

    public init() throws {
        port = quietPort()
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard loopback(port, { bind(descriptor, $0, $1) }) == 0, listen(descriptor, 16) == 0 else {
            throw SystemFailure(call: "listen", number: errno)
        }
    }

    deinit { close(descriptor) }

    /// Whether someone has connected, or does so within `bound`.
    public func isVisited(within bound: Duration = .zero) async -> Bool {
        await eventually(within: bound) { [descriptor] in
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return poll(&waiting, 1, 0) == 1
        }
    }
}

/// A port nobody uses, below the range from which the kernel gives ports to clients: a client that keeps
/// knocking at a closed port of that range may meet itself there.
public func quietPort() -> UInt16 {
    while true {
        let port = UInt16.random(in: 20_000..<32_000)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        if loopback(port, { bind(descriptor, $0, $1) }) == 0 { return port }
    }
}

private func loopback(_ port: UInt16, _ use: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            use($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
}
