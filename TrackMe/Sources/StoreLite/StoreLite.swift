public import GRDB
public import Store

/// The store on SQLite.
public enum StoreLite {
    /// Schema of all parts of `Stores`.
    public static let migrations: [Migration] =
        AccountsLite.migrations + HousesLite.migrations + LinksLite.migrations + SamplesLite.migrations
        + IntakeLite.migrations

    /// - Parameter onSOS: called for each message of an emergency, in the transaction of its batch.
    public static func stores(
        in file: LiteFile, onSOS: @escaping @Sendable (SOSReport, Database) throws -> Void = { _, _ in }
    ) -> Stores {
        let (accounts, links) = (AccountsLite(file: file), LinksLite(file: file))
        return Stores(
            accounts: accounts, sessions: accounts, links: links, houses: HousesLite(file: file),
            samples: SamplesLite(file: file), commands: links, intake: IntakeLite(file: file, onSOS: onSOS))
    }
}
