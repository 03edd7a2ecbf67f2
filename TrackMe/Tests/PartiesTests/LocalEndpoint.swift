import Glibc
import RealTime
import Synchronization

/// HTTP/1.1 endpoint on loopback: keeps requests, and answers each as it is told.
final class LocalEndpoint: Sendable {
    enum Reply: Sendable {
        case text(String)
        /// Reads the request and says nothing until the peer closes.
        case silence
        /// A body without an end.
        case flood
    }

    private struct State {
        var requests: [String] = []
        var connections = 0
        var closed = 0
        var isOver = false
    }

    let port: UInt16
    private let listener: Int32
    private let state = Mutex(State())

    init(_ reply: @escaping @Sendable (_ request: String) -> Reply) throws {
        signal(SIGPIPE, SIG_IGN)
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(listener, generic, length) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, generic, &length) == 0
            }
        }
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        _ = try NamedThread("endpoint") { [self] in serve(reply) }
    }

    /// Ends the threads with the next connection.
    func stop() {
        state.withLock { $0.isOver = true }
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    var requests: [String] { state.withLock { $0.requests } }
    var connections: Int { state.withLock { $0.connections } }
    var closed: Int { state.withLock { $0.closed } }

    private func serve(_ reply: @escaping @Sendable (String) -> Reply) {
        while !state.withLock({ $0.isOver }) {
            let peer = accept(listener, nil, nil)
            guard peer >= 0 else { return }
            state.withLock { $0.connections += 1 }
            _ = try? NamedThread("peer") { [self] in
                answer(peer, reply)
                close(peer)
                state.withLock { $0.closed += 1 }
            }
        }
    }

    private func answer(_ peer: Int32, _ reply: (String) -> Reply) {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        func readMore() -> Bool {
            let count = recv(peer, &buffer, buffer.count, 0)
            if count > 0 { bytes += buffer[..<count] }
            return count > 0
        }
        while !isWhole(bytes) { guard readMore() else { return } }
        let request = String(decoding: bytes, as: UTF8.self)
        state.withLock { $0.requests.append(request) }
        switch reply(request) {
        case .text(let text):
            _ = text.utf8.withContiguousStorageIfAvailable { send(peer, $0.baseAddress, $0.count, 0) }
        case .silence: while readMore() {}
        case .flood:
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"
            _ = head.utf8.withContiguousStorageIfAvailable { send(peer, $0.baseAddress, $0.count, 0) }
            while send(peer, buffer, buffer.count, 0) > 0 {}
        }
    }

    private func isWhole(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = text.firstRange(of: "\r\n\r\n"),
            let length = text.lowercased().firstMatch(of: /content-length: (\d+)/).flatMap({ Int($0.1) })
        else { return false }
        return text[end.upperBound...].utf8.count >= length
    }
}

extension LocalEndpoint.Reply {
    static func status(_ line: String, _ headers: String = "") -> LocalEndpoint.Reply {
        .text("HTTP/1.1 \(line)\r\n\(headers)Content-Length: 0\r\nConnection: close\r\n\r\n")
    }
}
