import GatewayModel
import Glibc
import RealTime

/// Frames over one end of a socket pair: the length of the body in four bytes, then the body.
///
/// Owns the descriptor. Used on one thread.
final class FrameStream {
    /// A broker takes up to 256 MiB (MQTT 5 section 1.5.5); no message of the contract comes near a hundredth. What
    /// comes from a broker has 64 KiB at most (`InboundRules.packetLimit`), and a topic as much.
    static let longestBody = 4 << 20

    enum Failure: Error, Hashable {
        /// The other end is gone.
        case ended
        /// The bytes are no frame.
        case malformed
    }

    let descriptor: Int32
    private var received: [UInt8] = []
    /// How much of `received` has been taken.
    private var taken = 0
    private var unsent: [UInt8] = []
    /// The other end is gone. Frames that it had sent may be left.
    private(set) var hasEnded = false
    private var chunk = [UInt8](repeating: 0, count: 65_536)

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    var hasUnsent: Bool { !unsent.isEmpty }

    /// Queues a frame for `flush`.
    func put(_ body: [UInt8]) {
        withUnsafeBytes(of: UInt32(body.count).bigEndian) { unsent.append(contentsOf: $0) }
        unsent += body
    }

    /// Sends as much as the kernel takes now; never blocks.
    func flush() throws(Failure) {
        var sent = 0
        while sent < unsent.count {
            let count = unsent.withUnsafeBytes {
                send(
                    descriptor, $0.baseAddress! + sent, $0.count - sent,
                    Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if count < 0 {
                if errno == EINTR { continue }
                if errno == EAGAIN { break }
                throw .ended
            }
            sent += count
        }
        if sent > 0 { unsent.removeFirst(sent) }
    }

    /// Sends all that was put; waits for the other end to read.
    func flushAll() throws(Failure) {
        try flush()
        while hasUnsent {
            _ = Poll.wait([Poll.Interest(descriptor, events: POLLOUT)], timeout: nil)
            try flush()
        }
    }

    /// Reads a bounded part of the available bytes; never blocks. Sets `hasEnded` at the end.
    func read() {
        if taken > 0 {
            received.removeFirst(taken)
            taken = 0
        }
        for _ in 0..<4 {
            let count = recv(descriptor, &chunk, chunk.count, Int32(MSG_DONTWAIT))
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return }
            guard count > 0 else {
                hasEnded = true
                return
            }
            received += chunk[..<count]
            if count < chunk.count { return }
        }
    }

    /// The body of the next whole frame; nil where more has to be read.
    func next() throws(Failure) -> [UInt8]? {
        guard received.count - taken >= 4 else { return nil }
        let length = Int(received[taken..<taken + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
        guard length <= Self.longestBody else { throw .malformed }
        guard received.count - taken - 4 >= length else { return nil }
        defer { taken += 4 + length }
        return Array(received[taken + 4..<taken + 4 + length])
    }
}
