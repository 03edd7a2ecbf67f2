import Accounts
import GatewayModel
import Logging
import PartiesLite
import ServiceLifecycle
import Store

/// Ends what has had its time: sessions and unanswered commands.
struct Housekeeping: Service {
    private static let interval = Duration.seconds(60)
    /// Time in which a third party has to read a copy.
    private static let sharedLife = Duration.seconds(30 * 86_400)

    let stores: Stores
    let companies: Companies
    let logger: Logger
    let clock: @Sendable () -> WallTime

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    let now = clock()
                    try await stores.sessions.endSessions(
                        before: now.advanced(by: .zero - Session.lifetime))
                    try await stores.commands.expireCommands(at: now)
                    try await companies.tokens.endTokens(before: now)
                    try await companies.requests.expireRequests(at: now)
                    try await companies.shared.eraseShared(before: now.advanced(by: .zero - Self.sharedLife))
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
