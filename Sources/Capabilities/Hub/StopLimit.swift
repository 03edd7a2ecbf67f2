import GatewayModel
import Glibc
import RealTime
import ServiceLifecycle

/// Ends the process at a limit after the request to stop, also where a thread hangs.
///
/// A thread in a call that does not return (a write to a terminal that was stopped, a name look-up) cannot
/// be cancelled, and the group waits for it for good: then systemd would kill the process before the
/// unsent messages were kept.
package final class StopLimit: Service {
    private let limit: Duration
    private let cutOff: @Sendable () -> Void

    /// - Parameters:
    ///   - limit: from the word to stop.
    ///   - cutOff: called on a thread of its own when the process is still there at the limit. It ends then.
    package init(_ limit: Duration, cutOff: @escaping @Sendable () -> Void) {
        self.limit = limit
        self.cutOff = cutOff
    }

    package func run() async throws {
        // Thrown where the group is cancelled because a part failed: that is a stop as well.
        let isOrderly = (try? await gracefulShutdown()) != nil
        let end = Clock.boot().advanced(by: limit)
        _ = try NamedThread("stop-limit") { [cutOff] in
            while Clock.boot() < end { _ = Poll.wait([], timeout: Clock.boot().duration(to: end)) }
            cutOff()
            // Not exit(): a thread that hangs may hold the locks that its handlers need.
            _exit(isOrderly ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }
}
