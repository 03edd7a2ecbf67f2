import CMicroHTTPD
import GatewayModel
import Glibc
import RealTime
import Synchronization

/// HTTP/1.1 server on libmicrohttpd, which reads the requests. `ConnectionPlaces` divides its connections.
///
/// The library's thread only copies bytes. Requests are answered on worker threads, so that an answer may wait for the
/// gateway.
package final class WebServer: Sendable {
    package struct Limits: Sendable {
        /// Connections in all, those of them that paired devices alone may have (half of all at most), and connections of one
        /// address; 0 for no limit of an address. A browser opens six at most.
        package var connections: UInt32 = 1_200
        package var reserved: UInt32 = 64
        package var perAddress: UInt32 = 8
        /// Connections without a stream of all strangers in one /64 network of IPv6, where one client can have each address:
        /// a tenth of all. A house is one such network.
        package var perNetwork: UInt32 = 120
        /// Bytes that the library keeps for a connection: a request's head, then the head of its answer, or a part of an
        /// event, which gets half of them. A browser's head has some 1 KB. An event of 4 KB goes in two parts with any memory
        /// from 4.2 to 8.2 KB, and each stream has it all.
        package var head = 5_632
        package var body = 16_384
        package var fields = 64
        /// Time to a whole head on a new connection.
        package var headTime = Duration.seconds(5)
        package var bodyTime = Duration.seconds(10)
        /// Seconds without any byte between requests.
        package var idleSeconds: UInt32 = 30
        /// Time without progress after which a stream is dropped whose client does not read.
        package var patience = Duration.seconds(10)

        package init() {}
    }

    /// TLS key and certificate, PEM.
    package struct Identity: Sendable {
        let key: String
        /// With its chain.
        package let certificate: String

        package init(key: String, certificate: String) {
            (self.key, self.certificate) = (key, certificate)
        }
    }

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    static let workers = 4
    /// Connections that end at this moment, beside those of the limit: the library takes some ten between two looks at them.
    private static let ending: UInt32 = 128

    /// Addresses with the real port, as `127.0.0.1:8765`.
    package let addresses: [String]
    private let core: WebCore
    private let daemons: Mutex<[OpaquePointer]>

    /// Begins to listen. Requests are answered from now on.
    ///
    /// - Parameters:
    ///   - addresses: an IPv4 or bracketed IPv6 address with a port; port 0 takes a free one.
    ///   - handle: called on a worker thread; may block.
    package init(
        addresses: [String], identity: Identity?, limits: Limits = Limits(),
        handle: @escaping @Sendable (WebRequest) -> WebReply
    ) throws {
        let core = WebCore(limits: limits, handle: handle)
        self.core = core
        var bound: [String] = []
        var started: [OpaquePointer] = []
        do {
            for address in addresses {
                let (name, daemon) = try Self.start(at: address, core, identity)
                bound.append(name)
                started.append(daemon)
            }
        } catch {
            for daemon in started { MHD_stop_daemon(daemon) }
            throw error
        }
        self.addresses = bound
        daemons = Mutex(started)
        for number in 0..<Self.workers {
            _ = try NamedThread("web-\(number)") { core.work() }
        }
        _ = try NamedThread("web-watch") { core.watch() }
    }

    private static func start(
        at address: String, _ core: WebCore, _ identity: Identity?
    ) throws -> (name: String, daemon: OpaquePointer) {
        let (socket, name) = try ListeningSocket.open(address)
        let limits = core.limits
        let daemon = cmicrohttpd_start(
            socket, answerRequest, completeRequest, changeConnection, Unmanaged.passUnretained(core).toOpaque(),
            limits.connections + ending, limits.idleSeconds, limits.head,
            identity?.key, identity?.certificate)
        guard let daemon else {
            close(socket)
            throw Failure(
                description:
                    "\(name): the server did not start; with a certificate, check that the key belongs to it")
        }
        return (name, daemon)
    }

    /// Ends all streams and connections. Blocks until they have ended.
    package func stop() {
        core.stop()
        for daemon in daemons.withLock({ daemons in
            defer { daemons = [] }
            return daemons
        }) {
            MHD_stop_daemon(daemon)
        }
    }
}

/// Listening socket of one address.
private enum ListeningSocket {
    static func open(_ address: String) throws -> (socket: Int32, name: String) {
        guard let colon = address.lastIndex(of: ":") else { throw malformed(address) }
        let host = address[..<colon].drop { $0 == "[" }.prefix { $0 != "]" }
        let port = address[address.index(after: colon)...]
        var hints = addrinfo()
        (hints.ai_socktype, hints.ai_flags) = (
            Int32(SOCK_STREAM.rawValue), AI_PASSIVE | AI_NUMERICHOST | AI_NUMERICSERV
        )
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(String(host), String(port), &hints, &found) == 0, let info = found else {
            throw malformed(address)
        }
        defer { freeaddrinfo(found) }
        let socket = Glibc.socket(
            info.pointee.ai_family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var on: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        guard socket >= 0, bind(socket, info.pointee.ai_addr, info.pointee.ai_addrlen) == 0,
            // Connections wait here while the library takes others: where the queue is full, a client tries again after 1 s.
            listen(socket, 4_096) == 0
        else {
            let error = SystemCallError("listening at \(address)")
            if socket >= 0 { close(socket) }
            throw WebServer.Failure(description: "\(error); free the address, or listen at another one")
        }
        return (socket, "\(address[..<colon]):\(self.port(of: socket) ?? 0)")
    }

    private static func port(of socket: Int32) -> UInt16? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> UInt16? in
                guard getsockname(socket, address, &length) == 0 else { return nil }
                // The port stands at the same place of both families.
                return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    UInt16(bigEndian: $0.pointee.sin_port)
                }
            }
        }
    }

    private static func malformed(_ address: String) -> WebServer.Failure {
        WebServer.Failure(
            description:
                "listen: saw '\(address)', expected an address with a port such as 127.0.0.1:8765 or [::1]:8765"
        )
    }
}
