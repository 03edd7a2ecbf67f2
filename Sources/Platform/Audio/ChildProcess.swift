import GatewayModel
import Glibc
import RealTime

/// A program that is given some bytes and gives others, and is killed when it takes too long.
enum ChildProcess {
    /// Holds up the calling thread for no longer than `patience` and a moment.
    /// - Parameters:
    ///   - program: a name on the PATH, or a path.
    ///   - bound: of what it may give, in bytes.
    /// - Returns: all that it wrote to its standard output.
    static func run(
        _ program: String, _ arguments: [String], input: [UInt8], bound: Int, patience: Duration
    ) throws(DeviceFailure) -> [UInt8] {
        var ends: [Int32] = [-1, -1]
        // A socket rather than pipes: a child that has gone is an error of send, not a SIGPIPE.
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
            throw DeviceFailure("socketpair", doInstead: nil)
        }
        defer { close(ends[0]) }
        let child: SpawnedProcess
        do throws(SystemCallError) {
            defer { close(ends[1]) }
            child = try SpawnedProcess(
                program, arguments,
                descriptors: [.init(ends[1], as: STDIN_FILENO), .init(ends[1], as: STDOUT_FILENO)],
                environment: .only(["PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"]))
        } catch {
            throw DeviceFailure(
                error.call, number: error.number,
                error.number == ENOENT ? "install it: apt-get install espeak-ng" : nil)
        }
        send(input, to: ends[0])
        let output = Result { () throws(DeviceFailure) in
            try receive(from: ends[0], program, bound: bound, patience: patience)
        }
        // One that has closed its output and lives on is killed.
        let end = child.waitForEnd(upTo: (try? output.get()) == nil ? .zero : .seconds(1))
        let bytes = try output.get()
        guard end == .exited(0) else { throw DeviceFailure("\(program) \(end)") }
        return bytes
    }

    /// A phrase fits into the socket's buffer; a child that does not read it gives no sound, which is told.
    private static func send(_ bytes: [UInt8], to socket: Int32) {
        _ = bytes.withUnsafeBytes {
            Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
        shutdown(socket, Int32(SHUT_WR))
    }

    private static func receive(
        from socket: Int32, _ program: String, bound: Int, patience: Duration
    ) throws(DeviceFailure) -> [UInt8] {
        let end = Clock.boot().advanced(by: patience)
        var output: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let left = Clock.boot().duration(to: end)
            guard left > .zero else { throw DeviceFailure("\(program) was not done within \(patience)") }
            guard Poll.wait([Poll.Interest(socket)], timeout: left).readable[0] else { continue }
            let count = recv(socket, &chunk, chunk.count, 0)
            // A child that went without reading all of its input ends the connection so (unix(7)).
            if count < 0, errno == ECONNRESET { return output }
            guard count >= 0 || errno == EINTR else {
                throw DeviceFailure("reading from \(program)", doInstead: nil)
            }
            if count == 0 { return output }
            output += chunk.prefix(max(count, 0))
            guard output.count <= bound else {
                throw DeviceFailure("\(program) gave more than \(bound) bytes and goes on")
            }
        }
    }
}
