import Background
public import Logging
public import ServiceLifecycle

/// Tells the other servers which dispatchers have a page of this one open.
public struct PresenceService: Service {
    private let hub: DeskHub
    private let logger: Logger
    private let announce: @Sendable (_ users: [String]) async throws -> Void

    public init(
        hub: DeskHub, logger: Logger, announce: @escaping @Sendable (_ users: [String]) async throws -> Void
    ) {
        (self.hub, self.logger, self.announce) = (hub, logger, announce)
    }

    public func run() async throws {
        await Rounds(
            every: DeskAttendance.reportInterval, "the other servers are not told who is at the desk",
            at: .warning,
            logger: logger
        ).run {
            let users = hub.users
            if !users.isEmpty { try await announce(users) }
        }
    }
}
