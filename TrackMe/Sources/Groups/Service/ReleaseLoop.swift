import Background
public import GatewayModel
public import Logging
public import ServiceLifecycle

/// Publishes the table of each week once its days of waiting are over.
///
/// A week that the server has slept through is not made up for: the newest one that is due is published alone. A restart or a
/// second server changes nothing, since a table is one commit and is written once.
public struct ReleaseLoop: Service {
    private static let interval = Duration.seconds(600)

    private let store: GroupReleaseStore
    private let areas: [AreaName]
    private let rule: GroupRule
    /// Time between the end of a week and its table.
    private let wait: Duration
    private let logger: Logger
    private let clock: @Sendable () -> WallTime

    public init(
        store: GroupReleaseStore, areas: [AreaName], rule: GroupRule, wait: Duration, logger: Logger,
        clock: @escaping @Sendable () -> WallTime
    ) {
        (self.store, self.areas, self.rule, self.wait) = (store, areas, rule, wait)
        (self.logger, self.clock) = (logger, clock)
    }

    public func run() async throws {
        await Rounds(every: Self.interval, "the weekly table of groups is not published", logger: logger).run {
            guard let week = try await releaseDue() else { return }
            logger.notice("a weekly table of groups is published", metadata: ["week": "\(week)"])
        }
    }

    /// Publishes the newest week that is due. Nil where there is nothing to do.
    public func releaseDue() async throws -> Week? {
        let now = clock()
        guard !areas.isEmpty, let week = Week.due(at: now, wait: wait),
            try await store.release(week, of: areas, by: rule, at: now)
        else { return nil }
        return week
    }
}
