public import SQLDatabase
public import Store

/// The store on SQLite.
public enum StoreLite {
    /// Schema of all parts of `Stores`.
    public static let migrations: [Migration] =
        AccountsLite.migrations + HousesLite.migrations + LinksLite.migrations + SamplesLite.migrations
        + IntakeLite.migrations + RecordsLite.migrations + IntervalsLite.migrations + ViewsLite.migrations
        + FleetLite.migrations + LimitsLite.migrations

    /// - Parameters:
    ///   - onSOS: called for each message of an emergency, in the transaction of its batch.
    ///   - onParty: called for each event about a third party, in the transaction of its batch. It returns the reason for
    ///     which a copy is not kept.
    ///   - onRun: called for each event of a run, each answer to a command and each decision about a request, in the transaction of its batch. It
    ///     returns the reason for which a message is not kept.
    public static func stores(
        in file: DatabasePool, onSOS: @escaping @Sendable (SOSReport, Database) throws -> Void = { _, _ in },
        onParty: @escaping @Sendable (PartyEvent, Database) throws -> DeadLetter.Reason? = { _, _ in .noParty },
        onRun: @escaping @Sendable (RunEvent, Database) throws -> DeadLetter.Reason? = { _, _ in .noRun }
    ) -> Stores {
        let (accounts, links) = (AccountsLite(file: file), LinksLite(file: file))
        return Stores(
            accounts: accounts, sessions: accounts, links: links, houses: HousesLite(file: file),
            samples: SamplesLite(file: file), commands: links,
            intake: IntakeLite(file: file, onSOS: onSOS, onParty: onParty, onRun: onRun),
            records: RecordsLite(file: file),
            retention: RetentionLite(file: file), intervals: IntervalsLite(file: file),
            limits: LimitsLite(file: file),
            views: ViewsLite(file: file), fleets: FleetLite(file: file))
    }
}
