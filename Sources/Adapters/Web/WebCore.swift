import CMicroHTTPD
import Dispatch
import GatewayModel
import Glibc
import RealTime
import Synchronization

/// Requests and connections of the servers, shared by the library's threads and the workers.
final class WebCore: Sendable {
    private struct State {
        var places: ConnectionPlaces
        var jobs: [(RequestContext, WebRequest)] = []
        /// Requests between the library and their answer: their connections are suspended.
        var unanswered = 0
        var subscriptions: [ObjectIdentifier: WebSubscription] = [:]
        var isStopping = false
    }

    let limits: WebServer.Limits
    private let handle: @Sendable (WebRequest) -> WebReply
    private let state: Mutex<State>
    /// Counts the jobs that wait.
    private let waiting = DispatchSemaphore(value: 0)

    init(limits: WebServer.Limits, handle: @escaping @Sendable (WebRequest) -> WebReply) {
        (self.limits, self.handle) = (limits, handle)
        state = Mutex(State(places: ConnectionPlaces(limits)))
    }

    // MARK: Connections, on a thread of the library

    func opened(_ socket: Int32, from address: ClientAddress?) {
        let now = Clock.boot()
        state.withLock { state in
            // The library closes each when it sees the end.
            for ended in state.places.open(socket, from: address, at: now) { shutdown(ended, Int32(SHUT_RDWR)) }
        }
    }

    /// The socket is closed after this call.
    func closed(_ socket: Int32) {
        state.withLock { $0.places.close(socket) }
    }

    private func enter(_ phase: ConnectionPlaces.Phase, _ socket: Int32) {
        let now = Clock.boot()
        state.withLock { $0.places.enter(phase, socket, at: now) }
    }

    // MARK: Requests, on a thread of the library

    /// - Returns: `MHD_NO` closes the connection.
    func take(
        _ connection: OpaquePointer, _ url: UnsafePointer<CChar>, _ method: UnsafePointer<CChar>,
        _ data: UnsafePointer<CChar>?, _ size: UnsafeMutablePointer<Int>,
        _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    ) -> MHD_Result {
        guard let known = slot.pointee else {
            let socket = cmicrohttpd_socket(connection)
            let context = RequestContext(connection, socket, RequestHead(connection, url, method, limits))
            slot.pointee = Unmanaged.passRetained(context).toOpaque()
            enter(.body, socket)
            return MHD_Result.YES
        }
        let context = Unmanaged<RequestContext>.fromOpaque(known).takeUnretainedValue()
        if size.pointee > 0 {
            context.append(UnsafeRawBufferPointer(start: data, count: size.pointee), limit: limits.body)
            size.pointee = 0
            return MHD_Result.YES
        }
        if let reply = context.takeReply() { return queue(reply, for: context) }
        let request: WebRequest
        switch context.request {
        case .success(let sound): request = sound
        case .failure(let refused): return queue(RequestContext.refusal(refused), for: context)
        }
        let isStopping = state.withLock { state -> Bool in
            if !state.isStopping { state.unanswered += 1 }
            return state.isStopping
        }
        // No connection is suspended from here on: the library requires it for its end.
        guard !isStopping else { return MHD_Result.NO }
        enter(.work, context.socket)
        // Before a worker can resume it.
        MHD_suspend_connection(connection)
        state.withLock { $0.jobs.append((context, request)) }
        waiting.signal()
        return MHD_Result.YES
    }

    private func queue(_ reply: WebReply, for context: RequestContext) -> MHD_Result {
        let response: OpaquePointer?
        switch reply.body {
        case .bytes(let bytes):
            enter(.reply, context.socket)
            response = bytes.withUnsafeBytes { buffer in
                MHD_create_response_from_buffer(
                    buffer.count, UnsafeMutableRawPointer(mutating: buffer.baseAddress), .RESPMEM_MUST_COPY)
            }
        case .events(let subscription):
            enter(.stream, context.socket)
            subscription.begin(on: context.socket, patience: limits.patience)
            let stream = EventStream(subscription, context.connection)
            let isStopping = state.withLock { state -> Bool in
                state.subscriptions[ObjectIdentifier(subscription)] = subscription
                return state.isStopping
            }
            if isStopping { subscription.close() }
            context.stream = subscription
            context.forgetRequest()
            // HTTP/1.1 gets its events by way of the connection's memory. This block, which the library makes for each
            // stream, serves HTTP/1.0 alone.
            response = MHD_create_response_from_callback(
                UInt64.max, 64, readEvents, Unmanaged.passRetained(stream).toOpaque(), releaseEvents)
        }
        guard let response else { return MHD_Result.NO }
        defer { MHD_destroy_response(response) }
        for (name, value) in reply.headers { MHD_add_response_header(response, name, value) }
        // Otherwise the connection of an ended stream would wait for another request, and keep its place.
        if case .events = reply.body { MHD_add_response_header(response, "Connection", "close") }
        return MHD_queue_response(context.connection, UInt32(reply.status), response)
    }

    func completed(_ context: RequestContext) {
        if let stream = context.stream {
            stream.end()
            state.withLock { $0.subscriptions[ObjectIdentifier(stream)] = nil }
        }
        enter(.idle, context.socket)
    }

    // MARK: Workers

    /// Body of a worker: answers requests until the server stops.
    func work() {
        while true {
            waiting.wait()
            let job = state.withLock { state in state.jobs.isEmpty ? nil : state.jobs.removeFirst() }
            guard let (context, request) = job else { return }
            let reply = handle(request)
            if reply.isForPairedDevice { state.withLock { $0.places.markPaired(context.socket) } }
            context.answer(reply)
            state.withLock { $0.unanswered -= 1 }
        }
    }

    /// Body of the thread that closes connections which take too long.
    func watch() {
        while true {
            usleep(500_000)
            let now = Clock.boot()
            let isStopping = state.withLock { state -> Bool in
                for socket in state.places.overdue(at: now) { shutdown(socket, Int32(SHUT_RDWR)) }
                return state.isStopping
            }
            if isStopping { return }
        }
    }

    /// Ends the streams and the workers, after the requests that wait.
    func stop() {
        let streams = state.withLock { state -> [WebSubscription] in
            state.isStopping = true
            return Array(state.subscriptions.values)
        }
        for stream in streams { stream.close() }
        for _ in 0..<WebServer.workers { waiting.signal() }
        // A suspended connection must not outlive its daemon.
        while state.withLock({ $0.unanswered > 0 }) { usleep(2_000) }
    }
}

/// Stream of one connection, held by its response.
private final class EventStream {
    let subscription: WebSubscription
    let connection: OpaquePointer

    init(_ subscription: WebSubscription, _ connection: OpaquePointer) {
        (self.subscription, self.connection) = (subscription, connection)
    }
}

// MARK: Callbacks

func answerRequest(
    _ core: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ url: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ data: UnsafePointer<CChar>?,
    _ size: UnsafeMutablePointer<Int>?, _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let core, let connection, let url, let method, let size, let slot else { return MHD_Result.NO }
    return Unmanaged<WebCore>.fromOpaque(core).takeUnretainedValue().take(
        connection, url, method, data, size, slot)
}

func completeRequest(
    _ core: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ reason: MHD_RequestTerminationCode
) {
    guard let core, let known = slot?.pointee else { return }
    slot?.pointee = nil
    let context = Unmanaged<RequestContext>.fromOpaque(known).takeRetainedValue()
    Unmanaged<WebCore>.fromOpaque(core).takeUnretainedValue().completed(context)
}

func changeConnection(
    _ core: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ change: MHD_ConnectionNotificationCode
) {
    guard let core, let connection else { return }
    let server = Unmanaged<WebCore>.fromOpaque(core).takeUnretainedValue()
    let socket = cmicrohttpd_socket(connection)
    if change == .CONNECTION_NOTIFY_STARTED {
        server.opened(socket, from: ClientAddress(of: connection))
    } else {
        server.closed(socket)
    }
}

private func readEvents(
    _ stream: UnsafeMutableRawPointer?, _ position: UInt64, _ buffer: UnsafeMutablePointer<CChar>?, _ limit: Int
) -> Int {
    guard let stream, let buffer else { return -1 }
    let events = Unmanaged<EventStream>.fromOpaque(stream).takeUnretainedValue()
    // -1: MHD_CONTENT_READER_END_OF_STREAM, a macro that Swift does not read.
    return events.subscription.read(into: buffer, limit, for: events.connection) ?? -1
}

private func releaseEvents(_ stream: UnsafeMutableRawPointer?) {
    if let stream { Unmanaged<EventStream>.fromOpaque(stream).release() }
}
