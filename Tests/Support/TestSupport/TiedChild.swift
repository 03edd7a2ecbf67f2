import Foundation
public import Glibc
import Synchronization

/// A program of a test, spoken to by lines. It ends by its owner's word, or by the kernel's when the test
/// process dies: nothing is left behind either way.
public final class TiedChild: Sendable {
    /// Lines of its standard output, and of its standard error.
    public let output = Recorder<String>()
    public let errors = Recorder<String>()
    /// Its exit code once it has ended; 128 and the signal where a signal ended it.
    public let ending = Recorder<Int32>()
    private let name: String
    public let processID: pid_t
    private let input: Mutex<Int32?>

    /// - Parameter environment: added to that of the test.
    public init(_ words: [String], environment: [String: String] = [:]) throws {
        name = words.map { $0.split(separator: "/").last.map(String.init) ?? $0 }.joined(separator: " ")
        let toChild = Self.sockets()
        let fromOutput = Self.sockets()
        let fromErrors = Self.sockets()
        input = Mutex(toChild[0])
        let variables = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
        let spawn = ChildSpawn(
            words, environment: variables.map { "\($0)=\($1)" },
            descriptors: [toChild[1], fromOutput[1], fromErrors[1]])
        let readers = DispatchGroup()
        Self.readLines(of: fromOutput[0], into: output, readers)
        Self.readLines(of: fromErrors[0], into: errors, readers)
        processID = try spawn.start { [ending] status in
            // What it said before its end is in by then; a grandchild may hold the pipe for longer.
            _ = readers.wait(timeout: .now() + 5)
            ending.add(status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F)
        }
    }

    deinit {
        signal(SIGKILL)
        closeInput()
    }

    public var isRunning: Bool { ending.values.isEmpty }

    public func signal(_ number: Int32) {
        if isRunning { kill(-processID, number) }
    }

    public func write(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = input.withLock { $0.map { send($0, bytes, bytes.count, Int32(MSG_NOSIGNAL)) } }
    }

    public func closeInput() {
        input.withLock { descriptor in
            if let open = descriptor { close(open) }
            descriptor = nil
        }
    }

    /// Waits for its end.
    public func exitCode() async throws -> Int32 {
        try await ending.first("the end of \(name)") { _ in true }
    }

    /// Waits for its end, which it was asked for in its own way; by force where it does not come.
    public func ended(within bound: Duration = .seconds(10)) async {
        if await ending.wait(upTo: bound, until: { !$0.isEmpty }) { return }
        await killed()
    }

    public func killed() async {
        signal(SIGKILL)
        _ = await ending.wait { !$0.isEmpty }
    }

    /// Not a pipe: a write to a program that has ended is an error then and no SIGPIPE, and no other child
    /// that is started meanwhile inherits an end.
    private static func sockets() -> [Int32] {
        var descriptors: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let result = socketpair(AF_UNIX, type, 0, &descriptors)
        precondition(result == 0, "no descriptors are left")
        return descriptors
    }

    /// Until its end, on a thread of its own.
    private static func readLines(of descriptor: Int32, into lines: Recorder<String>, _ readers: DispatchGroup)
    {
        readers.enter()
        Thread.detachNewThread {
            for line in LineReader(descriptor) { lines.add(line) }
            close(descriptor)
            readers.leave()
        }
    }
}

/// Lines of a descriptor until its end; blocks.
public struct LineReader: Sequence, IteratorProtocol {
    private let descriptor: Int32
    private var bytes: [UInt8] = []

    public init(_ descriptor: Int32) { self.descriptor = descriptor }

    public mutating func next() -> String? {
        while true {
            if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
                defer { bytes.removeSubrange(...end) }
                return String(decoding: bytes[..<end], as: UTF8.self)
            }
            var chunk = [UInt8](repeating: 0, count: 16_384)
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            bytes += chunk.prefix(count)
        }
    }
}
