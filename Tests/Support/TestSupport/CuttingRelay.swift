public import Glibc
import Synchronization

/// A line to a broker that breaks after a number of bytes, wherever in a packet that is.
///
/// Takes one connection after the other on a thread of its own, until it is let go.
public final class CuttingRelay: Sendable {
    public let port: UInt16
    /// The number of lines that were cut.
    public let cuts = Recorder<Int>()
    private let listener: Int32
    private let limits: Mutex<[Int]>

    /// - Parameter limits: for each connection, how many bytes may pass, both ways together; after the last one
    ///   there is no limit any more.
    /// - Parameter refusesVersion5: closes a connection that begins with a CONNECT of MQTT 5.
    public init(to broker: UInt16, cutAfter limits: [Int], refusesVersion5: Bool = false) {
        (listener, port) = Self.listen()
        self.limits = Mutex(limits)
        inBackground { [listener] in
            while true {
                let near = accept(listener, nil, nil)
                guard near >= 0 else { break }
                if refusesVersion5, Self.beginsInVersion5(near) {
                    close(near)
                    continue
                }
                let far = Self.connect(to: broker)
                Self.relay(near, far, upTo: self.nextLimit())
                // A reset, not an orderly end: what was on its way is gone.
                var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
                for end in [near, far] {
                    setsockopt(end, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
                    close(end)
                }
                self.cuts.add(1)
            }
            close(listener)
        }
    }

    public func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func nextLimit() -> Int {
        limits.withLock { $0.isEmpty ? .max : $0.removeFirst() }
    }

    /// The protocol's name stands before its level (MQTT 5 section 3.1.2).
    private static func beginsInVersion5(_ connection: Int32) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 12)
        let count = recv(connection, &bytes, bytes.count, Int32(MSG_PEEK) | Int32(MSG_WAITALL))
        let name = Array("MQTT".utf8)
        guard count == bytes.count,
            let start = (0..<8).first(where: { Array(bytes[$0..<$0 + 4]) == name })
        else { return true }
        return bytes[start + 4] == 5
    }

    private static func relay(_ near: Int32, _ far: Int32, upTo limit: Int) {
        var left = limit
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while left > 0 {
            var ends = [
                pollfd(fd: near, events: Int16(POLLIN), revents: 0),
                pollfd(fd: far, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&ends, 2, 30_000) > 0 else { return }
            for (from, to) in [(0, far), (1, near)] where ends[from].revents != 0 && left > 0 {
                let count = recv(ends[from].fd, &buffer, min(buffer.count, left), 0)
                guard count > 0, send(to, buffer, count, Int32(MSG_NOSIGNAL)) == count else { return }
                left -= count
            }
        }
    }

    private static func listen() -> (Int32, UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var port: UInt16 = 0
        withLoopback(0) { address, length in
            _ = bind(descriptor, address, length.pointee)
            _ = Glibc.listen(descriptor, 4)
            _ = getsockname(descriptor, address, length)
            port = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                UInt16(bigEndian: $0.pointee.sin_port)
            }
        }
        return (descriptor, port)
    }

    private static func connect(to port: UInt16) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        withLoopback(port) { address, length in _ = Glibc.connect(descriptor, address, length.pointee) }
        return descriptor
    }
}

/// The address of `port` on `host` of the loopback network, 127.0.0.1 unless told.
public func withLoopback(
    _ port: UInt16, host: UInt32 = 0x7F00_0001,
    _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Void
) {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = host.bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
    }
}
