import Foundation
import Glibc
import TestSupport

/// A gateway that runs.
final class DaemonProcess: Sendable {
    let child: TiedChild
    let controlSocket: String
    private let stuck: Stuck?

    /// One of its two streams, led where nobody reads.
    struct Stuck: Sendable {
        enum Stream: String, Sendable {
            case output = "1"
            case errors = "2"
        }

        let stream: Stream
        let pipe: FullPipe
    }

    /// - Parameter through: a program that becomes the gateway, with its arguments.
    init(
        settings: URL, controlSocket: String, environment: [String: String], stuck: Stuck?,
        through: [String] = []
    ) throws {
        self.controlSocket = controlSocket
        self.stuck = stuck
        var words = through + [BuiltProgram.homegateway, "run", "--config", settings.path]
        if let stuck {
            words = ["/bin/sh", "-c", #"exec "$@" \#(stuck.stream.rawValue)>"$0""#, stuck.pipe.path] + words
        }
        child = try TiedChild(words, environment: environment)
    }

    /// What those in the room see.
    var room: Recorder<String> { child.output }
    var log: String { child.errors.values.joined(separator: "\n") }

    /// Returns when it answers at its control socket.
    func ready() async throws {
        let isThere = await eventually(within: patience) { [child, controlSocket] in
            guard child.isRunning else { return true }
            guard let descriptor = try? LocalSocket.connect(to: controlSocket) else { return false }
            close(descriptor)
            return true
        }
        guard isThere, child.isRunning else { throw Missing(description: "the gateway did not start") }
    }

    /// SIGTERM.
    /// - Returns: its exit code, and how long it took.
    func terminate() async throws -> (code: Int32, after: Duration) {
        let begin = ContinuousClock.now
        child.signal(SIGTERM)
        let code = try await child.exitCode()
        return (code, begin.duration(to: .now))
    }
}
