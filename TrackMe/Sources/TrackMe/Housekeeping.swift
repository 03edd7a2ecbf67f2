import Accounts
import GatewayModel
import Logging
import PartiesLite
import ServiceLifecycle
import Store

/// Ends what has had its time: sessions and unanswered commands.
struct Housekeeping: Service {
    private static let interval = Duration.seconds(60)
    /// Days in which a third party has to read a copy.
    private static let sharedDays: Int64 = 30

    let stores: Stores
    let companies: Companies
    let logger: Logger
    let clock: @Sendable () -> WallTime

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    let now = clock()
                    let lifetime = Session.lifetime.components.seconds * 1_000
                    try await stores.sessions.endSessions(
                        before: WallTime(millisecondsSince1970: now.millisecondsSince1970 - lifetime))
                    try await stores.commands.expireCommands(at: now)
                    try await companies.tokens.endTokens(before: now)
                    try await companies.requests.expireRequests(at: now)
                    try await companies.shared.eraseShared(
                        before: WallTime(
                            millisecondsSince1970: now.millisecondsSince1970 - Self.sharedDays * 86_400_000))
                } catch is CancellationError {
                    return
                } catch {
                    logger.error("old entries are not removed", metadata: ["error": "\(error)"])
                }
                try? await Task.sleep(for: Self.interval)
            }
        }
    }
}
