import Foundation
import Glibc

/// A program started by a test, killed when the test lets go of it.
final class ChildProcess: @unchecked Sendable {
    // @unchecked: a test drives one child from one task at a time; the waits below only read files.
    private let process = Process()
    let output: URL

    /// - Parameters:
    ///   - output: where its standard output and error go, appended.
    ///   - directory: where it runs; nil for that of the tests.
    init(_ program: String, _ arguments: [String], output: URL, in directory: URL? = nil) throws {
        self.output = output
        if !FileManager.default.fileExists(atPath: output.path) {
            _ = FileManager.default.createFile(atPath: output.path, contents: nil)
        }
        let handle = try FileHandle(forWritingTo: output)
        try handle.seekToEnd()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        if let directory { process.currentDirectoryURL = directory }
        process.standardOutput = handle
        process.standardError = handle
        process.standardInput = FileHandle.nullDevice
        try process.run()
    }

    deinit { signal(SIGKILL) }

    func signal(_ number: Int32) {
        if process.isRunning { kill(process.processIdentifier, number) }
    }

    /// SIGKILL, and waits for the end: nothing of it runs or holds a port afterwards.
    func killAndWait() {
        signal(SIGKILL)
        process.waitUntilExit()
    }

    var isRunning: Bool { process.isRunning }

    /// As `killAndWait`, and its children with it: Foundation starts it as a process group.
    func killGroupAndWait() {
        guard process.isRunning else { return }
        kill(-process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// For programs that end by themselves and soon.
    func waitForSuccess() -> Bool {
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    var text: String {
        (try? String(contentsOf: output, encoding: .utf8)) ?? ""
    }
}

/// A directory of one test, removed with it.
final class ScratchDirectory: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("gateway-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    func write(_ text: String, to name: String) throws -> URL {
        try text.write(to: file(name), atomically: true, encoding: .utf8)
        return file(name)
    }
}

/// Asks again every 10 ms, with a bound: for what another process does, of which no event tells.
func eventually(within bound: Duration = .seconds(15), _ isTrue: () -> Bool) async -> Bool {
    let end = ContinuousClock.now.advanced(by: bound)
    while ContinuousClock.now < end {
        if isTrue() { return true }
        try? await Task.sleep(for: .milliseconds(10))
    }
    return isTrue()
}

/// A port of 127.0.0.1 that nobody uses now, for TCP or for UDP: some programs take it for both.
///
/// Below Linux's range of ephemeral ports (32768 and up by default): one of those may be given to any client, those
/// of the tests among them, before the program that the port is meant for has taken it.
func freePort() -> UInt16 {
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
func isListening(_ port: UInt16) -> Bool {
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
