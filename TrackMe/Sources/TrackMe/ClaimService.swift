import Logging
import PostgresEngine
import SQLDatabase
import SQLiteEngine
import ServiceLifecycle
import Settings

/// Ends the server when its claim of the database is lost: another server may have it.
struct ClaimService: Service {
    private static let interval = Duration.seconds(1)

    let claim: any DatabaseClaim

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                guard await claim.stands() else {
                    throw ServerFault(
                        "the connection that holds the database for this server is lost: it ends, and waits for the database "
                            + "when it is started again")
                }
                try? await Task.sleep(for: Self.interval)
            }
        }
    }
}

extension TrackMeSettings {
    /// Time between two looks at a database that another server has.
    private static let waitInterval = Duration.milliseconds(500)

    /// Waits until this process alone serves the database.
    func claimDatabase(logger: Logger) async throws -> any DatabaseClaim {
        var isTold = false
        while true {
            if let claim = try tryClaim() { return claim }
            if !isTold {
                logger.notice("another server has the database; this one takes over when that one ends")
                isTold = true
            }
            try await Task.sleep(for: Self.waitInterval)
        }
    }

    /// Nil while another process has the database. Blocking I/O.
    private func tryClaim() throws -> (any DatabaseClaim)? {
        guard let file = databaseAddressFile else {
            do { return try FileClaim(path: databasePath) } catch {
                throw ServerFault(
                    "\(error). Check that the directory exists and that this account may write there")
            }
        }
        do { return try PostgresClaim(try PostgresAddress(file.text())) } catch {
            throw ServerFault(
                "url_file of [database], \(file): \(error). Check that the server runs and that the string is right"
            )
        }
    }
}
