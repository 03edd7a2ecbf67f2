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
    ) throws(HouseFailure) -> [UInt8] {
        var ends: [Int32] = [-1, -1]
        // A socket rather than pipes: a child that has gone is an error of send, not a SIGPIPE.
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw HouseFailure("socketpair", doInstead: nil) }
        defer { close(ends[0]) }
        let child: pid_t
        do {
            defer { close(ends[1]) }
            child = try start(program, arguments, standardStreams: ends[1])
        }
        send(input, to: ends[0])
        let output = Result { () throws(HouseFailure) in
            try receive(from: ends[0], program, bound: bound, patience: patience)
        }
        let status = end(child, isToDie: (try? output.get()) == nil)
        let bytes = try output.get()
        guard status == 0 else { throw HouseFailure("\(program) failed (wait status \(status))") }
        return bytes
    }

    private static func start(
        _ program: String, _ arguments: [String], standardStreams: Int32
    ) throws(HouseFailure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, standardStreams, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, standardStreams, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The daemon blocks and ignores signals for its own reasons; a child begins without.
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        let words = ([program] + arguments).map { $0.withCString(strdup) } + [nil]
        let environment =
            ["PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"].map { $0.withCString(strdup) } + [nil]
        defer { for word in words + environment { free(word) } }
        var child = pid_t()
        let result = posix_spawnp(&child, program, &actions, &attributes, words, environment)
        guard result == 0 else {
            throw HouseFailure(
                "starting \(program)", number: result,
                result == ENOENT ? "install it: apt-get install espeak-ng" : nil)
        }
        return child
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
    ) throws(HouseFailure) -> [UInt8] {
        let end = Clock.boot().advanced(by: patience)
        var output: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let left = Clock.boot().duration(to: end)
            guard left > .zero else { throw HouseFailure("\(program) was not done within \(patience)") }
            guard Poll.wait([Poll.Interest(socket)], timeout: left).readable[0] else { continue }
            let count = recv(socket, &chunk, chunk.count, 0)
            // A child that went without reading all of its input ends the connection so (unix(7)).
            if count < 0, errno == ECONNRESET { return output }
            guard count >= 0 || errno == EINTR else {
                throw HouseFailure("reading from \(program)", doInstead: nil)
            }
            if count == 0 { return output }
            output += chunk.prefix(max(count, 0))
            guard output.count <= bound else {
                throw HouseFailure("\(program) gave more than \(bound) bytes and goes on")
            }
        }
    }

    /// Waits for the child; one that has closed its output and lives on is killed.
    /// - Returns: as waitpid(2) tells it; -1 where someone else has taken it.
    private static func end(_ child: pid_t, isToDie: Bool) -> Int32 {
        if isToDie { kill(child, SIGKILL) }
        var status: Int32 = 0
        for _ in 0..<100 where !isToDie {
            switch waitpid(child, &status, WNOHANG) {
            case 0: usleep(10_000)
            case child: return status
            default: return -1
            }
        }
        if !isToDie { kill(child, SIGKILL) }
        while waitpid(child, &status, 0) < 0 { if errno != EINTR { return -1 } }
        return status
    }
}
