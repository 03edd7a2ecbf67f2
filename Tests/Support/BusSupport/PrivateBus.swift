import GatewayModel
import Glibc
import RealTime
public import Systemd

/// dbus-daemon on a socket of its own, ended with the test.
public final class PrivateBus {
    public let address: String
    private var process: pid_t = 0

    /// Returns when the daemon listens: it tells its address only then.
    public init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw SystemCallError("pipe") }
        defer { close(ends[0]) }
        process = try Self.spawn(
            ["/usr/bin/dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=1"],
            output: ends[1])
        close(ends[1])
        var line = [UInt8](repeating: 0, count: 512)
        let count = read(ends[0], &line, line.count)
        guard count > 0 else { throw SystemCallError("starting dbus-daemon") }
        address = String(decoding: line.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    deinit { end() }

    /// From here on it reads and answers nothing.
    public func freeze() { kill(process, SIGSTOP) }

    public func end() {
        guard process > 0 else { return }
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
        process = 0
        // Killed, it leaves its socket behind: `unix:path=/tmp/dbus-…,guid=…`.
        if let path = address.split(separator: ",").first?.split(separator: "=").last { unlink(String(path)) }
    }

    private static func spawn(_ words: [String], output: Int32) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        // It complains of its descriptor limit where it is not root on the machine itself.
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        let result = posix_spawn(&process, words[0], &actions, nil, &arguments, environ)
        guard result == 0 else { throw SystemCallError("posix_spawn", number: result) }
        return process
    }
}

extension PrivateBus {
    /// The reply to `call`; nil if none came in time.
    public func reply(to call: BusCall, on connection: BusConnection) throws -> BusConnection.Reply? {
        var reply: BusConnection.Reply?
        try connection.send(call) { reply = $0 }
        try turn(connection) { reply != nil }
        return reply
    }

    /// Runs the loop until `isDone`, at most 5 s.
    public func turn(_ connection: BusConnection, until isDone: () -> Bool) throws {
        let end = Clock.boot().advanced(by: .seconds(5))
        try connection.process()
        while !isDone(), Clock.boot() < end {
            let interest = Poll.Interest(try connection.descriptor, events: try connection.events)
            _ = Poll.wait([interest], timeout: .milliseconds(100))
            try connection.process()
        }
    }
}
