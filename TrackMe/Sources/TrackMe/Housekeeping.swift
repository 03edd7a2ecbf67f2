import Accounts
import Desk
import GatewayModel
import Houses
import Logging
import Parties
import ServerSettings
import ServiceLifecycle
import Store

/// Ends what has had its time: sessions, unanswered commands, and data beyond their retention.
struct Housekeeping: Service {
    private static let interval = Duration.seconds(60)
    /// Rows of one commit: a batch of the broker waits for some 20 ms of it.
    private static let rowsOfAStep = 1_000
    /// The pause leaves the writer to the intake.
    private static let stepPause = Duration.milliseconds(20)
    /// Steps of one round. After as many the other duties have their turn, and the removal goes on at once.
    private static let mostSteps = 1_000

    /// Calls of the desk that one round seals or removes: more do not end in a minute.
    private static let callsOfARound = 100

    let stores: Stores
    let links: LinkService
    let companies: Companies
    let calls: DeskStore
    let retention: ServerSettings.Retention
    let logger: Logger
    let clock: @Sendable () -> WallTime

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var isBehind = false
            // New calls are sealed: only those of an earlier version are left, until a round finds none.
            var areCallsSealed = false
            var contestedCodes = 0
            while !Task.isCancelled {
                do {
                    let now = clock()
                    try await stores.accounts.endSessions(
                        before: now.advanced(by: .zero - Session.longestLifetime))
                    try await stores.accounts.forgetBrowsers(
                        before: now.advanced(by: .zero - BrowserID.lifetime))
                    try await stores.accounts.endInvitations(before: now)
                    try await stores.links.expireCommands(at: now)
                    try await links.endUnlinkedFacts(in: stores.facts)
                    let contested = try await stores.facts.contestedCodes().count
                    if contested > contestedCodes {
                        logger.warning(
                            "a fiscal code is given for more than one person: trackme check names them",
                            metadata: ["codes": "\(contested)"])
                    }
                    contestedCodes = contested
                    try await companies.tokens.endTokens(before: now)
                    try await companies.requests.expireRequests(at: now)
                    try await companies.shared.eraseShared(
                        below: SharedRetention(life: retention.shared).limits(at: now))
                    if !areCallsSealed {
                        areCallsSealed = try await calls.sealCalls(most: Self.callsOfARound) == 0
                    }
                    _ = try await calls.removeCalls(
                        endedBefore: now.advanced(by: .zero - retention.calls), most: Self.callsOfARound)
                    let isDone = try await removeOld(at: now)
                    // Within a round nothing that was erased is in the log any more.
                    _ = try await stores.retention.emptyLog()
                    guard isDone else {
                        let findings = try await findings(at: now)
                        if !isBehind {
                            for finding in findings {
                                logger.warning("old data are kept too long", metadata: ["reason": "\(finding)"])
                            }
                        }
                        isBehind = !findings.isEmpty
                        continue
                    }
                    isBehind = false
                } catch is CancellationError {
                    return
                } catch {
                    logger.error("old entries are not removed", metadata: ["error": "\(error)"])
                }
                try? await Task.sleep(for: Self.interval)
            }
        }
    }

    private var life: Retention { Retention(retention) }

    /// Delays of the removal that the operator has to look at.
    private func findings(at now: WallTime) async throws -> [String] {
        life.ages(of: try await stores.retention.oldest(), at: now).compactMap(\.finding)
    }

    /// Removes data by small commits; a kill between two of them costs nothing.
    ///
    /// - Returns: whether nothing is left to remove.
    private func removeOld(at now: WallTime) async throws -> Bool {
        try await stores.retention.raise(life.limits(at: now))
        for _ in 0..<Self.mostSteps {
            guard try await stores.retention.removeSome(most: Self.rowsOfAStep) > 0 else { return true }
            try await Task.sleep(for: Self.stepPause)
        }
        return false
    }
}

extension Retention {
    init(_ settings: ServerSettings.Retention) {
        self.init(
            raw: settings.raw, minutes: settings.minutes, hours: settings.hours, late: settings.late)
    }
}
