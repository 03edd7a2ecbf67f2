package import ControlContract
import Glibc
import RealTime

/// The caller's end of the control socket, for the command line and for the console.
package struct ControlClient: ~Copyable {
    /// Environment variable with the path of the socket.
    package static let socketVariable = "HOMEGATEWAY_SOCKET"

    private let descriptor: Int32
    private var received: [UInt8] = []

    /// - Parameter limit: how long an answer may take; nil for a stream.
    package init(path: String, limit: Duration? = .seconds(10)) throws {
        // A gateway that hangs up is an error to tell, not a reason to die in silence.
        signal(SIGPIPE, SIG_IGN)
        descriptor = try UnixSocket.connect(to: path)
        if let limit { UnixSocket.setReceiveLimit(descriptor, limit) }
    }

    deinit { close(descriptor) }

    /// Asks, and waits for the one answer.
    ///
    /// - Parameter session: of the console, at its socket; nil at the socket of the command line.
    package mutating func ask<Request: ControlVerb>(
        _ request: Request, for session: ControlSession? = nil
    ) throws -> ControlReply<Request.Document> {
        try write(ControlLine(request, of: session))
        guard let line = try nextLine(),
            let reply = try? ControlJSON.decode(ControlReply<Request.Document>.self, from: line)
        else { throw ControlError("the gateway closed the connection without an answer; see its log") }
        return reply
    }

    /// Asks for a stream: see `nextLine`.
    package func send(_ request: any ControlVerb) throws { try write(ControlLine(request)) }

    private func write(_ request: ControlLine) throws {
        var bytes = ArraySlice(try ControlJSON.line(request) + [UInt8(ascii: "\n")])
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw ControlError("\(SystemCallError("writing to the gateway"))") }
            bytes = bytes.dropFirst(count)
        }
    }

    /// The next line without its end; nil when the gateway has closed.
    package mutating func nextLine() throws -> [UInt8]? {
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(received[..<end])
                received.removeSubrange(...end)
                return line
            }
            let count = read(descriptor, &chunk, chunk.count)
            if count == 0 { return nil }
            guard count > 0 else {
                if errno == EINTR { continue }
                if errno == EAGAIN { throw ControlError("the gateway does not answer; see its log") }
                throw ControlError("\(SystemCallError("reading from the gateway"))")
            }
            received += chunk.prefix(count)
        }
    }
}
