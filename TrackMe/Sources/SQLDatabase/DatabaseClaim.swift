/// Right of one process at a time to do the work on a database that must not be done twice. It ends with the process, however
/// that ends.
public protocol DatabaseClaim: Sendable {
    /// Returns whether this process has the right now; false while another one has it.
    func acquire() async throws -> Bool
    /// Whether the right still stands. Asks the database, where it is another process.
    func stands() async -> Bool
    /// Gives the right up.
    func release() async
}
