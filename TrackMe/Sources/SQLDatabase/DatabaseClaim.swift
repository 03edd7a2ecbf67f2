/// Right of one process to serve a database. It ends with the process, however that ends.
public protocol DatabaseClaim: Sendable {
    /// Whether the right still stands. Asks the database, where it is another process.
    func stands() async -> Bool
}
