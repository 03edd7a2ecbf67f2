import Foundation
import Glibc

/// Debian's own Mosquitto on a free port of 127.0.0.1, that can be killed, frozen and started again.
public final class MosquittoProcess: @unchecked Sendable {
    // @unchecked: driven by one test at a time.
    public static let program = "/usr/sbin/mosquitto"
    public static var isInstalled: Bool { access(program, X_OK) == 0 }

    public let port: UInt16
    public let scratch: ScratchDirectory
    private var child: ChildProcess?

    /// - Parameter options: lines of mosquitto.conf(5) for the one listener.
    public init(_ options: String = "allow_anonymous true") throws {
        port = freePort()
        scratch = try ScratchDirectory()
        // As the user who runs the tests: the scratch directory is not the mosquitto user's.
        _ = try scratch.write(
            """
            user \(String(cString: getpwuid(getuid()).pointee.pw_name))
            log_type all
            listener \(port) 127.0.0.1
            \(options)

            """, to: "mosquitto.conf")
    }

    public var log: String { child?.text ?? "" }

    public func start() async throws {
        child = try ChildProcess(
            Self.program, ["-c", scratch.file("mosquitto.conf").path], output: scratch.file("broker.log"))
        guard await eventually({ isListening(self.port) }) else { throw StartFailure(log: log) }
    }

    public struct StartFailure: Error { let log: String }

    /// Stops the broker in order: with `persistence true` it writes its sessions and queues first.
    public func stop() { child?.terminateAndWait() }
    public func kill() { child?.killAndWait() }
    public func freeze() { child?.signal(SIGSTOP) }
    public func thaw() { child?.signal(SIGCONT) }
}
