import BusSupport
import Foundation
import Glibc
import RealTime
import TestSupport

/// The virtual bluetoothd on a bus of its own, ended with the test.
final class PairingRig {
    let bus: PrivateBus
    private let scratch: ScratchDirectory
    private let program: pid_t
    /// It ends when its input does.
    private let input: Int32
    private let output: URL

    /// - Parameter peripherals: rows of JSON, as in `peripheral.py`.
    init(_ peripherals: [String]) async throws {
        bus = try PrivateBus()
        scratch = try ScratchDirectory()
        let config = try scratch.write(
            "{\"peripherals\": [\(peripherals.joined(separator: ", "))]}", to: "peripherals.json")
        output = try scratch.write("", to: "events")
        let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Rig/virtual_bluez.py").path
        (program, input) = try Self.spawn(
            ["/usr/bin/python3", script, "--bus", bus.address, "--config", config.path], output: output.path)
        let isReady = await eventually { [output] in Self.text(output).contains("\"ready\"") }
        guard isReady else { throw SystemCallError("starting the virtual bluetoothd") }
    }

    deinit {
        close(input)
        kill(program, SIGKILL)
        waitpid(program, nil, 0)
    }

    /// What happened, one JSON object a line.
    var events: String { Self.text(output) }

    func perform(_ operation: String) {
        let line = operation + "\n"
        _ = line.withCString { write(input, $0, strlen($0)) }
    }

    private static func text(_ url: URL) -> String {
        (try? String(contentsOf: url, encoding: .utf8)) ?? ""
    }

    private static func spawn(_ words: [String], output: String) throws -> (pid_t, input: Int32) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0, fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0 else { throw SystemCallError("pipe") }
        defer { close(ends[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_APPEND, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        let result = posix_spawn(&process, words[0], &actions, nil, &arguments, environ)
        guard result == 0 else { throw SystemCallError("posix_spawn", number: result) }
        return (process, ends[1])
    }
}
