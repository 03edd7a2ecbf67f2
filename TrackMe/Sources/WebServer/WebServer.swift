import GatewayModel
import HTTPTypes
import Hummingbird
import HummingbirdCore
public import Logging
import NIOCore
import RealTime
public import ServiceLifecycle
import SettingsReading
import Synchronization
public import WebPages

/// Where the server listens.
public struct ListenAddress: Hashable, Sendable {
    public let host: String
    public let port: Int

    public init(host: String, port: Int) { (self.host, self.port) = (host, port) }
}

/// HTTP/1.1 server of a site. TLS is in front of it. Only this file names Hummingbird.
public struct WebServer: Service {
    /// Bounds of connections. A stranger may open some, and hold each to its bounds.
    public struct Limits: Sendable {
        /// Time for which a connection may go without a whole header, between requests too.
        public var idle = Duration.seconds(60)
        /// Time from the header of a request to the end of its body. Bodies have 64 KiB at most: 18 kbit/s are enough.
        public var request = Duration.seconds(30)
        /// Time for which a peer may take nothing of an answer that waits.
        public var reader = Duration.seconds(60)
        /// Bytes of a body that are read and thrown away, so that the peer gets its refusal.
        public var discardedBody = 1_048_576
        /// Connections at one time. Further ones wait in the kernel until one ends.
        public var connections: Int

        /// - Parameter descriptors: that the process may have. A quarter stays for the database, the broker and webhooks. A
        ///   server without a descriptor for a connection would stop to accept any.
        public init(descriptors: Int) { connections = min(8_192, max(1, descriptors * 3 / 4)) }
    }

    /// Bytes of the header of a request in all; up to twice as many are read for the answer that says so.
    private static let largestHeaders = 16_384
    private static let mostHeaders = 256
    private let site: Site
    private let address: ListenAddress
    private let limits: Limits
    private let clients: ClientResolver
    private let logger: Logger
    private let silentProxies: SilentProxies

    public init(
        site: Site, at address: ListenAddress, limits: Limits, clients: ClientResolver, logger: Logger
    ) {
        (self.site, self.address, self.limits, self.logger) = (site, address, limits, logger)
        self.clients = clients
        silentProxies = SilentProxies(logger)
    }

    public func run() async throws {
        let headers = HTTP1Channel.Configuration.DecoderConfiguration(
            maxHeaderFieldSize: Self.largestHeaders * 2, maxHeaderListSize: Self.largestHeaders * 2,
            maxHeaderFieldCount: Self.mostHeaders)
        let streams = OpenStreams()
        let application = Application(
            responder: CallbackResponder<PeerContext> { request, context in
                await respond(to: request, of: context, streams)
            },
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [ConnectionGuard(limits)], idleTimeout: TimeAmount(limits.idle),
                    httpDecoderConfiguration: headers)),
            configuration: ApplicationConfiguration(
                address: .hostname(address.host, port: address.port), serverName: nil,
                availableConnectionsDelegate: MaximumAvailableConnections(limits.connections, logger: quiet)),
            logger: quiet)
        try await withGracefulShutdownHandler {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await application.run() }
                group.addTask { try await streams.keepAlive() }
                try await group.next()
                group.cancelAll()
            }
        } onGracefulShutdown: {
            streams.endAll()
        }
    }

    /// Hummingbird logs at `info`; a path can name a person's link.
    private var quiet: Logger {
        var logger = logger
        logger.logLevel = .warning
        return logger
    }

    private func respond(
        to request: Request, of context: PeerContext, _ streams: OpenStreams
    ) async -> Response {
        let size = request.headers.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count }
        guard size <= Self.largestHeaders else { return Response(status: .requestHeaderFieldsTooLarge) }
        var request = request
        let body: ByteBuffer
        do {
            body = try await request.collectBody(
                upTo: site.largestBody(of: request.method.rawValue, path: request.uri.path))
        } catch {
            return Response(status: .contentTooLarge)
        }
        let headers = Self.headers(of: request)
        let asked = WebRequest(
            method: request.method.rawValue, path: request.uri.path, query: request.uri.query ?? "",
            headers: headers, body: Array(body.readableBytesView),
            client: clients.client(peer: context.peer, forwarded: headers["x-forwarded-for"]))
        if asked.client == nil, asked.method == .post { silentProxies.report(context.host) }
        let answer = await site.answer(asked)
        var fields = HTTPFields()
        for (name, value) in answer.headers {
            guard let name = HTTPField.Name(name) else { continue }
            fields.append(HTTPField(name: name, value: value))
        }
        return Response(
            status: HTTPResponse.Status(code: answer.status), headers: fields,
            body: asked.isHead ? ResponseBody() : Self.body(answer.content, of: request, streams))
    }

    private static func headers(of request: Request) -> [String: String] {
        var headers: [String: String] = [:]
        for field in request.headers {
            let name = field.name.canonicalName
            headers[name] =
                headers[name].map { $0 + (name == "cookie" ? "; " : ", ") + field.value } ?? field.value
        }
        if let authority = request.head.authority { headers["host"] = authority }
        return headers
    }

    private static func body(
        _ content: WebAnswer.Content, of request: Request, _ streams: OpenStreams
    ) -> ResponseBody {
        switch content {
        case .bytes(let bytes): return ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        case .file(let file):
            return ResponseBody { writer in
                try await request.body.consumeWithCancellationOnInboundClose { _ in
                    // The writer waits for a slow reader: nothing piles up here.
                    try await file { bytes in try await writer.write(ByteBuffer(bytes: bytes)) }
                }
                try await writer.finish(nil)
            }
        case .stream(let stream):
            return ResponseBody { writer in
                let number = streams.add(stream)
                defer { streams.remove(number) }
                // Without the handler of the close a stream outlives its reader until the next event.
                try await request.body.consumeWithInboundCloseHandler { _ in
                    // The writer waits for a slow reader: the queue of the stream drops what is too old.
                    try await stream.run { bytes in try await writer.write(ByteBuffer(bytes: bytes)) }
                } onInboundClosed: {
                    stream.signal(.end)
                }
                try await writer.finish(nil)
            }
        }
    }
}

/// Tells the log that a request of a client arrives without its address, once an hour.
private final class SilentProxies: Sendable {
    private let logger: Logger
    private let reports = Mutex(RateWindow(limit: 1, interval: .seconds(3_600)))

    init(_ logger: Logger) { self.logger = logger }

    /// - Parameter peer: of the connection: the server with TLS, as a rule.
    func report(_ peer: String?) {
        guard reports.withLock({ $0.take(at: Clock.boot()) }) else { return }
        logger.warning(
            "a request arrives without the address of its client: such sign-ins are not limited by address. Let the server with TLS send X-Forwarded-For",
            metadata: ["from": "\(peer ?? "unknown")"])
    }
}

/// Context of a request, with the address at the other end of its connection.
private struct PeerContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let host: String?
    let peer: IPAddress?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        host = source.channel.remoteAddress?.ipAddress
        peer = host.flatMap { IPAddress($0.prefix { $0 != "%" }) }
    }
}

/// Streams that are open in this server. Each gets a sign of life in time, and its end when the server stops.
private final class OpenStreams: Sendable {
    /// Seconds from one sign of life to the next. Proxies close a silent connection after 30 s as a rule.
    private static let aliveSeconds = 10

    private struct State {
        var next = 0
        var open: [Int: EventStream] = [:]
        var isOver = false
    }

    private let state = Mutex(State())

    func add(_ stream: EventStream) -> Int {
        let (number, isOver) = state.withLock { state in
            state.next += 1
            state.open[state.next] = stream
            return (state.next, state.isOver)
        }
        if isOver { stream.signal(.end) }
        return number
    }

    func remove(_ number: Int) { state.withLock { state in _ = state.open.removeValue(forKey: number) } }

    func endAll() {
        let streams = state.withLock { state in
            state.isOver = true
            return Array(state.open.values)
        }
        for stream in streams { stream.signal(.end) }
    }

    /// Asks for signs of life until the task is cancelled. Each second has its share of the streams.
    func keepAlive() async throws {
        var second = 0
        while true {
            let due = state.withLock { state in
                state.open.filter { $0.key % Self.aliveSeconds == second % Self.aliveSeconds }.values
            }
            for stream in due { stream.signal(.alive) }
            second += 1
            try await Task.sleep(for: .seconds(1))
        }
    }
}
