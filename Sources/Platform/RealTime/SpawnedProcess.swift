import CLinux
import GatewayModel
public import Glibc

/// One child process, from posix_spawn(3) to waitpid(2).
///
/// The owner reaps it with `waitForEnd` exactly once; before that its number belongs to nobody else. Used on one
/// thread, the one that started it: a child that asked for it (`ChildConfinement`) is killed when that thread ends.
public final class SpawnedProcess {
    /// How a child ended.
    public enum End: Hashable, Sendable, CustomStringConvertible {
        case exited(Int32)
        case signalled(Int32)
        /// Another part of this process reaped it.
        case unknown

        /// Completes "the process …".
        public var description: String {
            switch self {
            case .exited(let code): "ended with exit code \(code)"
            case .signalled(let number): "was ended by signal \(number) (\(String(cString: strsignal(number))))"
            case .unknown: "ended in an unknown way"
            }
        }
    }

    /// The environment variables of a child.
    public enum Environment: Sendable {
        case only([String])
        /// Those of this process without the named ones, and with some more.
        case inherited(without: Set<String>, and: [String])
    }

    /// One descriptor of this process and its number in the child.
    public struct Descriptor: Sendable {
        let here: Int32
        let there: Int32

        public init(_ here: Int32, as there: Int32) {
            self.here = here
            self.there = there
        }
    }

    public let pid: pid_t

    /// Starts `program` with the signal handlers of a new process.
    ///
    /// - Parameters:
    ///   - program: a name on the PATH, or a path.
    ///   - name: its own name for itself, the zeroth argument; nil for `program`.
    ///   - descriptors: given to the child. Of the standard streams those that are not named are /dev/null, but
    ///     for standard error where `keepsStandardError`. All others above are closed, also those that a C library
    ///     opened without FD_CLOEXEC.
    ///   - blocked: signals that the child starts with blocked; it can then choose their handling without a gap.
    /// - Throws: the error of posix_spawnp, ENOENT where there is no such program.
    public init(
        _ program: String, named name: String? = nil, _ arguments: [String], descriptors: [Descriptor],
        keepsStandardError: Bool = false,
        environment: Environment, blocked: [Int32] = []
    ) throws(SystemCallError) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in descriptors {
            posix_spawn_file_actions_adddup2(&actions, descriptor.here, descriptor.there)
        }
        let given = Set(descriptors.map(\.there)).union(keepsStandardError ? [STDERR_FILENO] : [])
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where !given.contains(stream) {
            posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
        }
        _ = clinux_spawn_close_from(&actions, max(given.max() ?? 0, STDERR_FILENO) + 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The daemon blocks and ignores signals for its own reasons.
        var mask = sigset_t()
        var all = sigset_t()
        sigemptyset(&mask)
        for signal in blocked { sigaddset(&mask, signal) }
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &mask)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        let words = ([name ?? program] + arguments).map { $0.withCString(strdup) } + [nil]
        let variables = Self.variables(environment).map { $0.withCString(strdup) } + [nil]
        defer { for word in words + variables { free(word) } }
        var child = pid_t()
        let result = posix_spawnp(&child, program, &actions, &attributes, words, variables)
        guard result == 0 else { throw SystemCallError("starting \(program)", number: result) }
        pid = child
    }

    private static func variables(_ environment: Environment) -> [String] {
        switch environment {
        case .only(let variables): return variables
        case .inherited(let excluded, let more):
            var variables: [String] = []
            var next = environ
            while let text = next.pointee {
                let variable = String(cString: text)
                let name = String(variable.prefix { $0 != "=" })
                if !excluded.contains(name) { variables.append(variable) }
                next += 1
            }
            return variables + more
        }
    }

    public func kill() {
        Glibc.kill(pid, SIGKILL)
    }

    /// Reaps the child. One that has not ended after `limit` is killed.
    public func waitForEnd(upTo limit: Duration) -> End {
        var status: Int32 = 0
        let end = Clock.boot().advanced(by: limit)
        while Clock.boot() < end {
            switch waitpid(pid, &status, WNOHANG) {
            case 0: usleep(5_000)
            case pid: return Self.end(status)
            default: if errno != EINTR { return .unknown }
            }
        }
        kill()
        while waitpid(pid, &status, 0) < 0 { if errno != EINTR { return .unknown } }
        return Self.end(status)
    }

    /// The encoding of waitpid's status on Linux: the macros of sys/wait.h are not shown to Swift.
    private static func end(_ status: Int32) -> End {
        let signal = status & 0x7F
        return signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
    }
}

/// The limits that a child of the daemon sets for itself, before it looks at a byte from outside.
public enum ChildConfinement {
    /// Signals to the whole control group or terminal that only the daemon answers. A child starts with them blocked.
    public static let signalsOfTheDaemon = [SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2]

    /// Applies to the calling process. A bound that the system refuses is left out: each of these makes the child
    /// safer, and none is needed for its work.
    ///
    /// - It is killed when its parent ends, and writes no core, which would hold what it was sent.
    /// - It has no capability: those that the unit gives are for the daemon's radio.
    /// - It is the first to go where memory is short: its `oom_score_adj` is 0, the daemon's is far below.
    /// - It ignores `signalsOfTheDaemon`, and SIGPIPE.
    /// - Parameter dataLimit: bytes of writable private memory, stacks of threads included. Above it an allocation
    ///   fails.
    public static func apply(dataLimit: UInt64) {
        _ = clinux_end_with_parent()
        _ = clinux_limit_memory(0, dataLimit)
        _ = clinux_drop_capabilities()
        let score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)
        if score >= 0 {
            _ = write(score, "0", 1)
            close(score)
        }
        var mask = sigset_t()
        sigemptyset(&mask)
        for number in signalsOfTheDaemon {
            signal(number, SIG_IGN)
            sigaddset(&mask, number)
        }
        signal(SIGPIPE, SIG_IGN)
        sigprocmask(SIG_UNBLOCK, &mask, nil)
    }
}
