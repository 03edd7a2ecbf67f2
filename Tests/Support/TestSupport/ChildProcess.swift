public import Foundation
import Glibc
import Synchronization

/// A program started by a test as a process group of its own, killed when the test lets go of it.
///
/// It is started and reaped by posix_spawn(3) and waitpid(2). Foundation's `Process` was seen to wait forever for a
/// child that had ended, when many processes started at the same time.
public final class ChildProcess: Sendable {
    public struct Failure: Error { let text: String }

    private let processID: pid_t
    /// The wait status of waitpid(2); nil until the child has been reaped.
    private let status = Mutex<Int32?>(nil)
    public let output: URL

    /// - Parameters:
    ///   - output: the file to which its standard output and error are appended.
    ///   - directory: its working directory; nil for that of the tests.
    public init(_ program: String, _ arguments: [String], output: URL, in directory: URL? = nil) throws {
        self.output = output
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output.path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        Self.closeOthers(&actions)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Threads of a pool block signals; the child must not inherit that.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))
        // env(1) changes the directory: Glibc's module does not offer posix_spawn's own action.
        let move = directory.map { ["/usr/bin/env", "-C", $0.path] } ?? []
        let words = (move + [program] + arguments).map { strdup($0) } + [nil]
        let variables = ProcessInfo.processInfo.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in words + variables { free(pointer) } }
        var processID: pid_t = 0
        let number = posix_spawnp(&processID, move.first ?? program, &actions, &attributes, words, variables)
        guard number == 0 else {
            throw Failure(text: "cannot start \(program): \(String(cString: strerror(number)))")
        }
        self.processID = processID
    }

    deinit { killGroupAndWait() }

    /// The child inherits no descriptor besides 0, 1 and 2: the C libraries under test open sockets without
    /// `O_CLOEXEC`. Glibc's module does not offer `posix_spawn_file_actions_addclosefrom_np` (glibc 2.34).
    private static func closeOthers(_ actions: inout posix_spawn_file_actions_t) {
        typealias CloseFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
        guard let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else { return }
        _ = unsafeBitCast(symbol, to: CloseFrom.self)(&actions, 3)
    }

    /// Nothing happens once the child has been reaped: its process id may belong to another process by then.
    public func signal(_ number: Int32) {
        status.withLock { status in
            if !reap(&status, WNOHANG) { kill(processID, number) }
        }
    }

    /// Sends SIGKILL and waits for the end: the child holds no port afterwards.
    public func killAndWait() {
        signal(SIGKILL)
        wait()
    }

    /// Sends SIGTERM and waits for the end, without a bound.
    public func terminateAndWait() {
        signal(SIGTERM)
        wait()
    }

    public var isRunning: Bool {
        status.withLock { !reap(&$0, WNOHANG) }
    }

    /// As `killAndWait`, for the child and the children in its process group.
    public func killGroupAndWait() {
        status.withLock { status in
            if !reap(&status, WNOHANG) { kill(-processID, SIGKILL) }
        }
        wait()
    }

    /// For programs that end by themselves and soon. Blocks until then.
    public func waitForSuccess() -> Bool {
        wait() == 0
    }

    @discardableResult
    private func wait() -> Int32 {
        status.withLock { status in
            _ = reap(&status, 0)
            return status ?? -1
        }
    }

    /// Returns whether the child has ended.
    private func reap(_ status: inout Int32?, _ options: Int32) -> Bool {
        guard status == nil else { return true }
        var word: Int32 = 0
        while true {
            let result = waitpid(processID, &word, options)
            if result == processID { status = word } else if result < 0, errno == EINTR { continue }
            return status != nil
        }
    }

    public var text: String {
        (try? String(contentsOf: output, encoding: .utf8)) ?? ""
    }
}

/// A directory of one test, removed with it.
public final class ScratchDirectory: Sendable {
    public let url: URL

    public init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("gateway-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    public func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    public func write(_ text: String, to name: String) throws -> URL {
        try text.write(to: file(name), atomically: true, encoding: .utf8)
        return file(name)
    }
}

/// Asks again every 10 ms, with a bound: for what another process does, of which no event tells.
///
/// The bound is long: many tests run at once, on machines that others use too.
public func eventually(
    within bound: Duration = .seconds(60), _ isTrue: () async throws -> Bool
) async rethrows -> Bool {
    let end = ContinuousClock.now.advanced(by: bound)
    while ContinuousClock.now < end {
        if try await isTrue() { return true }
        try? await Task.sleep(for: .milliseconds(10))
    }
    return try await isTrue()
}

/// A port of 127.0.0.1 that nobody uses now, for TCP or for UDP: some programs take it for both.
///
/// Below Linux's range of ephemeral ports (32768 and up by default): one of those may be given to any client, those
/// of the tests among them, before the program that the port is meant for has taken it.
public func freePort() -> UInt16 {
    while true {
        let port = UInt16.random(in: 20_000..<32_000)
        if canBind(port, SOCK_STREAM), canBind(port, SOCK_DGRAM) { return port }
    }
}

private func canBind(_ port: UInt16, _ type: __socket_type) -> Bool {
    let descriptor = socket(AF_INET, Int32(type.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
            bind(descriptor, generic, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }
}

/// Whether something listens on `port` of 127.0.0.1.
public func isListening(_ port: UInt16) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
            connect(descriptor, generic, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }
}
