import GatewayModel
import RealTime
import ServiceLifecycle

/// Once a second, on a thread of its own: what is looked after at leisure, where a file or a device that hangs
/// holds up nobody.
final class Caretaker: Sendable {
    private static let interval = Duration.seconds(1)

    private let stopping: Wakeup
    private let look: @Sendable (Moment) -> Void

    init(look: @escaping @Sendable (Moment) -> Void) throws(SystemCallError) {
        stopping = try Wakeup()
        self.look = look
    }

    /// Until `stop`. Once.
    func run() async throws {
        await (try NamedThread("care") { [self] in loop() }).finished()
    }

    func stop() {
        stopping.signal()
    }

    private func loop() {
        while true {
            let seen = Poll.wait([Poll.Interest(stopping.descriptor)], timeout: Self.interval)
            guard seen.readable.first != true else { return }
            look(Clock.moment())
        }
    }
}
