import Dispatch
public import SQLDatabase

/// Claim of a database of PostgreSQL: an advisory lock of a connection of its own. The server of the database ends it some 11
/// seconds after the machine of its holder is gone, and at once after the process.
public final class PostgresClaim: DatabaseClaim {
    private static let lock: Int64 = 0x7472_6163_6b73_76

    private let connection: PostgresConnection
    /// One statement at a time.
    private let queue = DispatchQueue(label: "claim")

    /// Nil while another process has the database. Blocking I/O.
    public init?(_ address: PostgresAddress) throws {
        do {
            connection = try PostgresConnection(address)
            let (rows, _) = try connection.query(
                """
                SELECT set_config('tcp_keepalives_idle', '5', false), set_config('tcp_keepalives_interval', '2', false),
                    set_config('tcp_keepalives_count', '3', false), set_config('tcp_user_timeout', '10000', false),
                    set_config('idle_session_timeout', '0', false),
                    CASE WHEN pg_try_advisory_lock(\(Self.lock)) THEN 1 ELSE 0 END AS held
                """, StatementArguments(), most: 1)
            guard rows.first?["held"] == 1 else { return nil }
        } catch let failure as PostgresConnection.Failure {
            throw failure.error
        }
    }

    public func stands() async -> Bool {
        await withCheckedContinuation { continuation in
            queue.async { [connection] in
                let answer = try? connection.query("SELECT 1 AS one", StatementArguments(), most: 1)
                continuation.resume(returning: answer != nil)
            }
        }
    }
}
