import GatewayModel
import Glibc
import Observations

/// One program at the socket of a source: lines in, an answer for each line out, in their order.
///
/// Non-blocking both ways; owned by the thread of the sources.
struct SourceConnection {
    enum Received {
        case lines([[UInt8]])
        case nothing
        case closed
    }

    private struct Answer {
        let text: [UInt8]
        /// The line's readings are on the disk when all messages up to this place are.
        let place: Int64
    }

    /// Maximum number of waiting answers. Beyond it nothing is read.
    private static let mostWaiting = 64
    /// Bytes of answers that wait for a program that does not read. Beyond it nothing is read.
    private static let mostOutgoing = 65_536

    let descriptor: Int32
    /// When its last line came.
    private(set) var heard: BootInstant
    private var incoming: [UInt8] = []
    private var answers: [Answer] = []
    private var outgoing: [UInt8] = []
    private var isEnding = false

    init(descriptor: Int32, at now: BootInstant) {
        (self.descriptor, heard) = (descriptor, now)
    }

    var wantsToRead: Bool {
        (!isEnding || hasLines) && answers.count < Self.mostWaiting && outgoing.count < Self.mostOutgoing
    }
    var wantsToWrite: Bool { !outgoing.isEmpty }
    var awaitsDisk: Bool { !answers.isEmpty }
    /// Every answer was written, and the program sends no more.
    var isDone: Bool { isEnding && !hasLines && answers.isEmpty && outgoing.isEmpty }

    /// - Parameter most: maximum number of lines to take; the others stay in the buffer.
    mutating func receive(most: Int, at now: BootInstant) -> Received {
        let buffered = takeLines(most, at: now)
        guard buffered.isEmpty else { return .lines(buffered) }
        guard !isEnding else { return .nothing }
        // A line without its end stays short of the limit: the rest of a line that is too long is never taken.
        guard incoming.count <= ObservationParser.longestLine else { return overlong() }
        var chunk = [UInt8](repeating: 0, count: 4_096)
        let count = read(descriptor, &chunk, chunk.count)
        if count == 0 {
            isEnding = true
            return .nothing
        }
        guard count > 0 else { return errno == EAGAIN || errno == EINTR ? .nothing : .closed }
        incoming += chunk.prefix(count)
        let lines = takeLines(most, at: now)
        return lines.isEmpty ? .nothing : .lines(lines)
    }

    /// Whether whole lines wait in the buffer.
    var hasLines: Bool { incoming.contains(UInt8(ascii: "\n")) }

    private mutating func overlong() -> Received {
        incoming = []
        isEnding = true
        answer(
            .refused(
                "saw a line of more than \(ObservationParser.longestLine) bytes, expected a shorter one: write one "
                    + "value a line; the connection is closed"), after: 0)
        return .nothing
    }

    private mutating func takeLines(_ most: Int, at now: BootInstant) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var rest = incoming[...]
        while lines.count < most, let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = rest[..<end]
            // Empty lines keep a connection alive and have no answer.
            if line.contains(where: { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: " ") }) {
                lines.append(Array(line))
            }
            rest = rest[(end + 1)...]
            heard = now
        }
        incoming = Array(rest)
        return lines
    }

    /// - Parameter place: the answer waits until all messages up to this place are on the disk.
    mutating func answer(_ answer: SourceAnswer, after place: Int64) {
        answers.append(Answer(text: answer.line, place: place))
    }

    /// Releases the answers to readings that are on the disk, in the order of the lines.
    mutating func release(_ isDurable: (Int64) -> Bool) {
        let count = answers.prefix { $0.place == 0 || isDurable($0.place) }.count
        outgoing += answers.prefix(count).flatMap(\.text)
        answers.removeFirst(count)
    }

    /// - Returns: whether the program is still there.
    mutating func flush() -> Bool {
        while !outgoing.isEmpty {
            // MSG_NOSIGNAL: a program that has gone is an error here, not a SIGPIPE.
            let count = outgoing.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return errno == EAGAIN || errno == EINTR }
            outgoing.removeFirst(count)
        }
        return true
    }
}
