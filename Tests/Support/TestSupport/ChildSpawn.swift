import Foundation
public import Glibc
import Synchronization

/// One start of a program, tied to a thread that lives for as long as the program does.
///
/// The tie is prctl(2)'s PR_SET_PDEATHSIG by way of setpriv(1): when the test process dies, however it
/// dies, the kernel kills the child. The kernel means the *thread* that made the child, so a thread of a
/// pool will not do: its end would kill the child of a test that goes on.
public final class ChildSpawn: Sendable {
    public let words: [String]
    public let environment: [String]
    /// For its standard input, output and error; closed here once it has them.
    public let descriptors: [Int32]
    private let outcome = Mutex<Result<pid_t, SystemFailure>?>(nil)
    private let isStarted = DispatchSemaphore(value: 0)

    public init(_ words: [String], environment: [String], descriptors: [Int32]) {
        self.words = ["/usr/bin/setpriv", "--pdeathsig", "KILL"] + words
        self.environment = environment
        self.descriptors = descriptors
    }

    /// - Parameter onEnd: called on that thread with the wait status of waitpid(2).
    public func start(onEnd: @escaping @Sendable (Int32) -> Void) throws(SystemFailure) -> pid_t {
        Thread.detachNewThread { [self] in
            let result = spawn()
            outcome.withLock { $0 = result }
            isStarted.signal()
            guard case .success(let processID) = result else { return }
            var status: Int32 = 0
            while waitpid(processID, &status, 0) < 0, errno == EINTR {}
            onEnd(status)
        }
        isStarted.wait()
        guard let result = outcome.withLock({ $0 }) else { preconditionFailure("signalled without a result") }
        return try result.get()
    }

    private func spawn() -> Result<pid_t, SystemFailure> {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (target, descriptor) in descriptors.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(target))
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A group of its own, so that one signal reaches what it started; and no signal blocked, as
        // threads of a pool have it.
        var nothing = sigset_t()
        sigemptyset(&nothing)
        posix_spawnattr_setsigmask(&attributes, &nothing)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))
        var processID: pid_t = 0
        let arguments = words.map { strdup($0) } + [nil]
        let variables = environment.map { strdup($0) } + [nil]
        let number = posix_spawn(&processID, words[0], &actions, &attributes, arguments, variables)
        for text in arguments + variables { free(text) }
        for descriptor in descriptors { close(descriptor) }
        return number == 0 ? .success(processID) : .failure(SystemFailure(call: words[3], number: number))
    }
}

public struct SystemFailure: Error, CustomStringConvertible {
    public let call: String
    public let number: Int32

    public init(call: String, number: Int32) { (self.call, self.number) = (call, number) }

    public var description: String { "\(call): \(String(cString: strerror(number)))" }
}
