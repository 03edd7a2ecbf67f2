import Foundation
import Glibc

/// Debian's own Mosquitto on a free port of 127.0.0.1, that can be killed, frozen and started again.
final class MosquittoProcess: @unchecked Sendable {
    // @unchecked: driven by one test at a time.
    static let program = "/usr/sbin/mosquitto"
    static var isInstalled: Bool { access(program, X_OK) == 0 }

    let port: UInt16
    let scratch: ScratchDirectory
    private var child: ChildProcess?

    /// - Parameter options: lines of mosquitto.conf(5) for the one listener.
    init(_ options: String = "allow_anonymous true") throws {
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

    var log: String { child?.text ?? "" }

    func start() async throws {
        child = try ChildProcess(
            Self.program, ["-c", scratch.file("mosquitto.conf").path], output: scratch.file("broker.log"))
        guard await eventually({ isListening(self.port) }) else { throw StartFailure(log: log) }
    }

    struct StartFailure: Error { let log: String }

    func kill() { child?.killAndWait() }
    func freeze() { child?.signal(SIGSTOP) }
    func thaw() { child?.signal(SIGCONT) }
}
