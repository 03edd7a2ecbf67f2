import CMicroHTTPD
import GatewayModel
import Glibc
import RealTime
import Synchronization

/// Stream of server-sent events to one client. A client that lags gets the newest event, never a backlog. From any thread.
package final class WebSubscription: Sendable {
    /// Bytes in the kernel for one stream, which doubles them: a client that lags soon gets the newest event.
    private static let sendBuffer: Int32 = 16_384

    private struct State {
        /// Part of the present event that was not handed over yet.
        var sending: ArraySlice<UInt8> = []
        var next: [UInt8]?
        /// Address of the connection that waits for an event.
        var suspended: UInt?
        var socket: Int32 = -1
        /// Time without progress after which the client is dropped.
        var patience = Duration.zero
        var progress: BootInstant
        var isClosed = false
    }

    private let state: Mutex<State>

    package init() {
        state = Mutex(State(progress: Clock.boot()))
    }

    /// Whether the client has gone, or was dropped.
    package var isClosed: Bool { state.withLock(\.isClosed) }

    /// Sends one event. It replaces an event that the client has not begun to get.
    ///
    /// - Parameter event: text of the event with the empty line at its end.
    package func send(_ event: [UInt8]) { put(event, mayReplace: true) }

    private func put(_ event: [UInt8], mayReplace: Bool) {
        let now = Clock.boot()
        state.withLock { state in
            guard !state.isClosed else { return }
            if state.sending.isEmpty, state.next == nil { state.progress = now }
            if mayReplace || state.next == nil { state.next = event }
            if state.progress.duration(to: now) >= state.patience, state.socket >= 0 {
                shutdown(state.socket, Int32(SHUT_RDWR))
            }
            Self.wake(&state)
        }
    }

    /// Sends one event where no other waits: a sign of life takes no other event's place.
    package func sendIfIdle(_ event: [UInt8]) { put(event, mayReplace: false) }

    /// Ends the stream.
    package func close() {
        state.withLock { state in
            state.isClosed = true
            Self.wake(&state)
        }
    }

    private static func wake(_ state: inout State) {
        guard let connection = state.suspended else { return }
        state.suspended = nil
        MHD_resume_connection(OpaquePointer(bitPattern: connection))
    }

    // MARK: The server's thread

    func begin(on socket: Int32, patience: Duration) {
        var size = Self.sendBuffer
        setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        let now = Clock.boot()
        state.withLock { ($0.socket, $0.patience, $0.progress) = (socket, patience, now) }
    }

    /// The client has gone. The socket is closed after this call.
    func end() {
        state.withLock { state in
            (state.isClosed, state.socket, state.suspended) = (true, -1, nil)
            (state.sending, state.next) = ([], nil)
        }
    }

    /// Copies what is to be sent; with nothing to send the connection is suspended until there is.
    ///
    /// - Returns: the number of bytes; nil at the end of the stream.
    func read(into buffer: UnsafeMutablePointer<CChar>, _ limit: Int, for connection: OpaquePointer) -> Int? {
        let now = Clock.boot()
        let address = UInt(bitPattern: connection)
        let target = UnsafeMutableRawPointer(buffer)
        return read(into: UInt(bitPattern: target), limit, address, at: now)
    }

    /// Addresses stand for the pointers, which belong to the calling thread.
    private func read(into buffer: UInt, _ limit: Int, _ connection: UInt, at now: BootInstant) -> Int? {
        state.withLock { state -> Int? in
            if state.sending.isEmpty, let next = state.next { (state.sending, state.next) = (next[...], nil) }
            guard !state.sending.isEmpty else {
                if state.isClosed { return nil }
                state.suspended = connection
                MHD_suspend_connection(OpaquePointer(bitPattern: connection))
                return 0
            }
            let part = state.sending.prefix(limit)
            part.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress, let place = UnsafeMutableRawPointer(bitPattern: buffer)
                else {
                    return
                }
                memcpy(place, start, bytes.count)
            }
            state.sending = state.sending.dropFirst(part.count)
            state.progress = now
            return part.count
        }
    }
}
