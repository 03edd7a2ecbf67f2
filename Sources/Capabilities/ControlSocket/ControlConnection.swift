import ControlLink
package import GatewayModel
import Glibc
import Hub

/// One caller at the control socket: bytes in until a line, bytes out as the caller takes them.
///
/// Non-blocking both ways; owned by the control thread.
package struct ControlConnection {
    package enum Received {
        case line([UInt8])
        case nothingYet
        case closed
    }

    /// A request is a short line; more without its end is no request.
    package static let longestRequest = 4_096
    /// A watcher that does not read is let go at this much waiting output, some thousands of events.
    private static let mostWaiting = 1_048_576

    package let descriptor: Int32
    /// It came through the console's socket.
    let isOfConsole: Bool
    package private(set) var isWatching = false
    /// It gets the states of the gateway.
    package private(set) var isFollowing = false
    /// The newest state, while an older one is still being written.
    private var waitingState: [UInt8]?
    /// Events that came before the greeting; nil once it was sent.
    private var held: [[UInt8]]?
    /// Close when everything is written.
    package var isClosing = false
    /// A request was taken and its answer is not queued yet.
    package var awaitsAnswer = false
    /// The caller sends no more; it may still read.
    package private(set) var isHalfClosed = false
    private let opened: BootInstant
    private var incoming: [UInt8] = []
    private var outgoing: [UInt8] = []

    package init(descriptor: Int32, isOfConsole: Bool = false, at now: BootInstant) {
        (self.descriptor, self.isOfConsole) = (descriptor, isOfConsole)
        opened = now
        UnixSocket.setNonBlocking(descriptor)
    }

    /// Whether it only takes up a place: connected a while ago, and neither asking nor watching.
    package func isIdle(at now: BootInstant) -> Bool {
        !isWatching && !isFollowing && !awaitsAnswer && !wantsToWrite
            && opened.duration(to: now) >= Self.idleLimit
    }

    /// A person's command asks at once.
    private static let idleLimit = Duration.seconds(5)

    package var wantsToWrite: Bool { !outgoing.isEmpty || waitingState != nil }
    package var isDone: Bool { isClosing && outgoing.isEmpty }

    package mutating func receive() -> Received {
        var chunk = [UInt8](repeating: 0, count: Self.longestRequest)
        let count = read(descriptor, &chunk, chunk.count)
        if count == 0 {
            isHalfClosed = true
            return awaitsAnswer || wantsToWrite ? .nothingYet : .closed
        }
        guard count > 0 else { return errno == EAGAIN || errno == EINTR ? .nothingYet : .closed }
        // One request a connection: bytes after it are dropped, or they would pile up.
        guard !awaitsAnswer, !isWatching, !isFollowing, !isClosing else {
            incoming = []
            return .nothingYet
        }
        incoming += chunk.prefix(count)
        guard let end = incoming.firstIndex(of: UInt8(ascii: "\n")) else {
            return incoming.count > Self.longestRequest ? .closed : .nothingYet
        }
        defer { incoming.removeSubrange(...end) }
        return .line(Array(incoming[..<end]))
    }

    /// Its first events follow with `greet`.
    package mutating func beginWatching() {
        isWatching = true
        awaitsAnswer = false
        held = []
    }

    package mutating func beginFollowing() {
        isFollowing = true
        awaitsAnswer = false
    }

    /// Queues a state in the place of one that waits: a follower that reads slowly gets fewer states, and the newest.
    package mutating func queue(state line: [UInt8]) { waitingState = line }

    /// Sends a watcher its first events, and then those that were held back.
    package mutating func greet(_ lines: [[UInt8]]) {
        for line in lines + (held ?? []) { queue(line) }
        held = nil
    }

    /// Queues an event for a watcher, after its greeting. One watcher holds back as many as the feed does.
    package mutating func queue(event line: [UInt8]) {
        guard let waiting = held else { return queue(line) }
        if waiting.count < Feed.bound { held?.append(line) }
    }

    /// Queues a line; a caller that does not read is marked for closing and loses what waits.
    package mutating func queue(_ line: [UInt8]) {
        guard outgoing.count + line.count < Self.mostWaiting else {
            outgoing = []
            isClosing = true
            return
        }
        outgoing += line
        outgoing.append(UInt8(ascii: "\n"))
    }

    /// - Returns: whether the caller is still there.
    package mutating func flush() -> Bool {
        while true {
            if outgoing.isEmpty, let state = waitingState {
                waitingState = nil
                queue(state)
            }
            guard !outgoing.isEmpty else { return true }
            // MSG_NOSIGNAL: a caller that has gone is an error here, not a SIGPIPE.
            let count = outgoing.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return errno == EAGAIN || errno == EINTR }
            outgoing.removeFirst(count)
        }
    }
}
