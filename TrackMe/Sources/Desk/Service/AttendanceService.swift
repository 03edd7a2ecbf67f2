public import Logging
public import ServiceLifecycle

/// Reports that nobody is at the desk, and that somebody is there again.
public struct AttendanceService: Service {
    private static let interval = Duration.seconds(1)

    private let hub: DeskHub
    private let logger: Logger

    public init(hub: DeskHub, logger: Logger) {
        (self.hub, self.logger) = (hub, logger)
    }

    public func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                switch hub.attendanceChange() {
                case .unattended:
                    logger.warning("nobody is at the desk; sign in as a dispatcher and open /desk")
                case .attended: logger.notice("the desk is attended again")
                case nil: break
                }
                try? await Task.sleep(for: Self.interval)
            }
        }
    }
}
