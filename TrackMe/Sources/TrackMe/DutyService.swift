import Logging
import SQLDatabase
import ServerSettings
import ServiceLifecycle

/// Does the duties of the database while this server has the claim of it, and waits for the claim else.
struct DutyService: Service {
    /// Between two attempts to get the claim: a server that is killed is replaced after it and the start of the duties.
    private static let waitInterval = Duration.milliseconds(250)
    /// Between two questions whether the claim stands.
    private static let checkInterval = Duration.milliseconds(500)

    private enum End { case finished, lost }

    let claim: any DatabaseClaim
    let duties: Duties
    let logger: Logger

    func run() async throws {
        var (isTold, hasFailed) = (false, false)
        while !Task.isShuttingDownGracefully {
            try Task.checkCancellation()
            do {
                let isHeld = try await claim.acquire()
                hasFailed = false
                if isHeld {
                    isTold = false
                    try await perform()
                    continue
                }
                if !isTold {
                    logger.notice("another server does the duties of the database; this one is ready for them")
                }
                isTold = true
            } catch let error as DatabaseError where error.kind == .noConnection {
                if !hasFailed {
                    logger.warning(
                        "the claim of the database cannot be asked for", metadata: ["error": "\(error)"])
                }
                hasFailed = true
            }
            try await sleep(Self.waitInterval)
        }
        await claim.release()
    }

    /// Ends early at a shutdown.
    private func sleep(_ time: Duration) async throws {
        await cancelWhenGracefulShutdown { try? await Task.sleep(for: time) }
    }

    /// Returns after the loss of the claim, or at the shutdown.
    private func perform() async throws {
        logger.notice("this server does the duties of the database")
        try await duties.prepare()
        let group = ServiceGroup(services: try duties.services(), logger: logger)
        let end = try await withThrowingTaskGroup(of: End.self) { tasks in
            tasks.addTask {
                do { try await group.run() } catch is CancellationError {}
                return .finished
            }
            tasks.addTask {
                while !Task.isCancelled {
                    guard await claim.stands() else { return .lost }
                    try? await Task.sleep(for: Self.checkInterval)
                }
                return .finished
            }
            defer { tasks.cancelAll() }
            let first = try await tasks.next() ?? .finished
            tasks.cancelAll()
            // The claim is given up after the duties have ended. One that is lost does not wait for them at other servers.
            _ = try await tasks.next()
            return first
        }
        await claim.release()
        guard end == .lost else { return }
        logger.warning("the claim of the database is lost: the next server does its duties")
    }
}

extension ServerSettings {
    /// Waits until this process alone has a SQLite file. Servers on PostgreSQL share their database.
    func awaitFile(_ claim: any DatabaseClaim, logger: Logger) async throws {
        guard databaseAddressFile == nil else { return }
        var isTold = false
        while try await !claim.acquire() {
            if !isTold {
                logger.notice("another server has the database; this one takes over when that one ends")
                isTold = true
            }
            try await Task.sleep(for: .milliseconds(500))
        }
    }
}
