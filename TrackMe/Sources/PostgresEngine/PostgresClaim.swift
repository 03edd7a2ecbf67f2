import Dispatch
public import SQLDatabase
import Synchronization

/// Claim of a database of PostgreSQL: an advisory lock of a connection of its own. The server of the database ends it some 11
/// seconds after the machine of its holder is gone, and at once after the process.
public final class PostgresClaim: DatabaseClaim {
    private static let lock: Int64 = 0x7472_6163_6b73_76

    private let address: PostgresAddress
    /// One statement at a time.
    private let queue = DispatchQueue(label: "claim")
    /// Of the queue. A process that waits keeps its connection.
    private let connection = Mutex<PostgresConnection?>(nil)

    public init(_ address: PostgresAddress) { self.address = address }

    public func acquire() async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [self] in continuation.resume(with: Result { try tryLock() }) }
        }
    }

    public func stands() async -> Bool {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                let answer = try? present?.query("SELECT 1 AS one", StatementArguments(), most: 1)
                continuation.resume(returning: answer != nil)
            }
        }
    }

    /// The lock ends with its connection.
    public func release() async {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                connection.withLock { $0 = nil }
                continuation.resume()
            }
        }
    }

    private var present: PostgresConnection? { connection.withLock { $0 } }

    private func tryLock() throws -> Bool {
        do {
            let connection = try present ?? open()
            let (rows, _) = try connection.query(
                "SELECT CASE WHEN pg_try_advisory_lock(\(Self.lock)) THEN 1 ELSE 0 END AS held",
                StatementArguments(), most: 1)
            return rows.first?["held"] == 1
        } catch {
            connection.withLock { $0 = nil }
            guard let failure = error as? PostgresConnection.Failure else { throw error }
            throw failure.error
        }
    }

    private func open() throws -> PostgresConnection {
        let new = try PostgresConnection(address)
        _ = try new.query(
            """
            SELECT set_config('tcp_keepalives_idle', '5', false), set_config('tcp_keepalives_interval', '2', false),
                set_config('tcp_keepalives_count', '3', false), set_config('tcp_user_timeout', '10000', false),
                set_config('idle_session_timeout', '0', false)
            """, StatementArguments(), most: 1)
        connection.withLock { $0 = new }
        return new
    }
}
