import Glibc
import Synchronization
import Web

/// Real server on a free port, which answers with the request as it was understood.
final class TestServer: Sendable {
    let web: WebServer
    private let house: TestHouse

    var address: String { web.addresses[0] }

    init(identity: WebServer.Identity? = nil, limits: WebServer.Limits = TestServer.limits) throws {
        let house = TestHouse()
        self.house = house
        web = try WebServer(addresses: ["127.0.0.1:0"], identity: identity, limits: limits) { house.answer($0) }
    }

    /// Those of a house, without the bound of an address: the tests come from one.
    static var limits: WebServer.Limits {
        var limits = WebServer.Limits()
        limits.perAddress = 0
        return limits
    }

    static func limits(_ change: (inout WebServer.Limits) -> Void) -> WebServer.Limits {
        var limits = limits
        change(&limits)
        return limits
    }

    /// - Parameter source: address of the client on this machine, such as `127.0.0.2`; nil for the usual one.
    func client(receiveBuffer: Int32? = nil, from source: String? = nil) throws -> RawClient {
        try RawClient(address, receiveBuffer: receiveBuffer, from: source)
    }

    /// Client with an open stream.
    func listener(receiveBuffer: Int32? = nil) throws -> RawClient {
        let client = try client(receiveBuffer: receiveBuffer)
        client.send(get("/stream"))
        _ = try client.head()
        return client
    }

    var streams: [WebSubscription] { house.streams.withLock { $0 } }

    func send(_ event: String) {
        let bytes = Array("data: \(event)\n\n".utf8)
        for stream in streams { stream.send(bytes) }
    }

    /// Lets the requests for `/wait` be answered.
    func letGo() { house.isHeld.withLock { $0 = false } }
}

/// Answers of the test's server.
private final class TestHouse: Sendable {
    let streams = Mutex<[WebSubscription]>([])
    let isHeld = Mutex(true)

    func answer(_ request: WebRequest) -> WebReply {
        var reply = reply(to: request)
        reply.isForPairedDevice = request.cookie == "paired"
        return reply
    }

    private func reply(to request: WebRequest) -> WebReply {
        switch request.path {
        case "/stream":
            let stream = WebSubscription()
            streams.withLock { $0.append(stream) }
            return WebReply(
                status: 200, headers: [("Content-Type", "text/event-stream")], body: .events(stream))
        case "/brief":
            let stream = WebSubscription()
            stream.send(Array("data: all\n\n".utf8))
            stream.close()
            return WebReply(
                status: 200, headers: [("Content-Type", "text/event-stream")], body: .events(stream))
        case "/wait":
            while isHeld.withLock({ $0 }) { usleep(1_000) }
        default: break
        }
        let parts = [request.method, request.path, Self.text(request.query), Self.text(request.form)]
        return WebReply(
            status: 200, headers: [("Content-Type", "text/plain")],
            body: .bytes(Array(parts.filter { !$0.isEmpty }.joined(separator: " ").utf8)))
    }

    private static func text(_ fields: [String: String]) -> String {
        fields.map { "\($0)=\($1)" }.sorted().joined(separator: ",")
    }
}

func get(_ path: String, _ fields: String...) -> String {
    "GET \(path) HTTP/1.1\r\nHost: localhost\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n"
}

/// - Parameter length: value of Content-Length; nil for the true one.
func post(
    _ body: String, type: String = "application/x-www-form-urlencoded", length: Int? = nil, _ fields: String...
)
    -> String
{
    "POST /act HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(type)\r\nContent-Length: \(length ?? body.utf8.count)\r\n"
        + fields.map { $0 + "\r\n" }.joined() + "\r\n" + body
}
