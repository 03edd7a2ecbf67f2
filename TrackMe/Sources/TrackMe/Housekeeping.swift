import Accounts
import GatewayModel
import Linking
import Logging
import PartiesLite
import ServiceLifecycle
import Settings
import Store

/// Ends what has had its time: sessions, unanswered commands, and data beyond their retention.
struct Housekeeping: Service {
    private static let interval = Duration.seconds(60)
    /// Rows of one commit: a batch of the broker waits for some 20 ms of it.
    private static let rowsOfAStep = 1_000
    /// The pause leaves the writer to the intake.
    private static let stepPause = Duration.milliseconds(20)
    /// Steps of one round.
    private static let mostSteps = 1_000

    let stores: Stores
    let links: LinkService
    let companies: Companies
    let retention: TrackMeRetention
    let logger: Logger
    let clock: @Sendable () -> WallTime

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    let now = clock()
                    try await stores.sessions.endSessions(
                        before: now.advanced(by: .zero - Session.longestLifetime))
                    try await stores.sessions.forgetBrowsers(
                        before: now.advanced(by: .zero - BrowserID.lifetime))
                    try await stores.commands.expireCommands(at: now)
                    try await links.endUnlinkedLimits(in: stores.limits)
                    try await companies.tokens.endTokens(before: now)
                    try await companies.requests.expireRequests(at: now)
                    try await companies.shared.eraseShared(
                        below: SharedRetention(life: retention.shared).limits(at: now))
                    try await removeOld(at: now)
                    // Within a round nothing that was erased is in the log any more.
                    _ = try await stores.retention.emptyLog()
                } catch is CancellationError {
                    return
                } catch {
                    logger.error("old entries are not removed", metadata: ["error": "\(error)"])
                }
                try? await Task.sleep(for: Self.interval)
            }
        }
    }

    /// Removes data by small commits; a kill between two of them costs nothing.
    private func removeOld(at now: WallTime) async throws {
        let life = Retention(
            raw: retention.raw, minutes: retention.minutes, hours: retention.hours, late: retention.late)
        try await stores.retention.raise(life.limits(at: now))
        for _ in 0..<Self.mostSteps {
            guard try await stores.retention.removeSome(most: Self.rowsOfAStep) > 0 else { return }
            try await Task.sleep(for: Self.stepPause)
        }
    }
}
