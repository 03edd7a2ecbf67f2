import Foundation
import Glibc

/// A client with a socket and nothing else. It writes the bytes of a test, whole requests or not.
final class RawClient: @unchecked Sendable {
    // @unchecked: used by one task at a time.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let descriptor: Int32

    /// Connects to a port of this machine.
    ///
    /// - Parameter window: bytes that the kernel takes for a peer that reads nothing; nil for its own choice.
    init(_ port: UInt16, window: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(description: "socket: \(String(cString: strerror(errno)))") }
        if var window {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &window, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure(description: "connect: \(String(cString: strerror(errno)))") }
    }

    deinit { Glibc.close(descriptor) }

    /// Writes as much as the kernel takes now. Returns the number of bytes; nil once the server has closed.
    func offer(_ bytes: [UInt8]) -> Int? {
        let sent = send(
            descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        if sent >= 0 { return sent }
        return errno == EAGAIN ? 0 : nil
    }

    func offer(_ text: String) -> Int? { offer(Array(text.utf8)) }

    /// Reads all that there is now. `isClosed` says that the server has closed.
    func take() -> (bytes: [UInt8], isClosed: Bool) {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count > 0 {
                all += buffer[..<count]
                continue
            }
            return (all, count == 0 || errno != EAGAIN)
        }
    }

    /// Reads until the text satisfies `isEnough`, or the server has closed; nil after 30 s without either.
    func text(until isEnough: (String) -> Bool) async throws -> String? {
        var seen: [UInt8] = []
        let end = ContinuousClock.now.advanced(by: .seconds(30))
        while ContinuousClock.now < end {
            let (bytes, isClosed) = take()
            seen += bytes
            let text = String(decoding: seen, as: UTF8.self)
            if isEnough(text) || isClosed { return text }
            try await Task.sleep(for: .milliseconds(2))
        }
        return nil
    }
}
