public import SQLDatabase

/// All parts of one store.
public struct Stores: Sendable {
    public let accounts: AccountStore
    public let passkeys: PasskeyStore
    public let links: LinkStore
    public let houses: HouseStore
    public let samples: SampleStore
    public let intake: IntakeStore
    public let records: RecordStore
    public let retention: RetentionStore
    public let intervals: IntervalStore
    public let facts: FactStore
    public let views: ViewStore
    public let fleets: FleetStore
    public let exports: ExportStore

    /// - Parameters:
    ///   - exports: lists of further capabilities.
    ///   - onSOS: called for each message of an emergency, in the transaction of its batch.
    ///   - onParty: called for each event about a third party, in the transaction of its batch. It returns the reason for
    ///     which a copy is not kept.
    ///   - onRun: called for each event of a run, each answer to a command and each decision about a request, in the transaction of its batch. It
    ///     returns the reason for which a message is not kept.
    ///   - onDamage: called for each damaged block that intake, packing or removal find, after their commit.
    public init(
        in file: DatabasePool, exports: [ExportList] = [],
        onSOS: @escaping @Sendable (SOSReport, Database) throws -> Void = { _, _ in },
        onParty: @escaping @Sendable (PartyEvent, Database) throws -> DeadLetter.Reason? = { _, _ in .noParty },
        onRun: @escaping @Sendable (RunEvent, Database) throws -> DeadLetter.Reason? = { _, _ in .noRun },
        onDamage: @escaping @Sendable (DamagedBlock) -> Void = { _ in }
    ) {
        accounts = AccountStore(file: file)
        passkeys = PasskeyStore(file: file)
        links = LinkStore(file: file)
        houses = HouseStore(file: file)
        samples = SampleStore(file: file)
        intake = IntakeStore(
            file: file, onSOS: onSOS, onParty: onParty, onRun: onRun, onDamage: onDamage)
        records = RecordStore(file: file)
        retention = RetentionStore(file: file, onDamage: onDamage)
        intervals = IntervalStore(file: file)
        facts = FactStore(file: file)
        views = ViewStore(file: file)
        fleets = FleetStore(file: file)
        self.exports = ExportStore(file: file, lists: Self.exports + exports)
    }
}

extension Stores {
    /// Schema of all parts of `Stores`.
    public static let migrations: [Migration] =
        AccountStore.migrations + HouseStore.migrations + LinkStore.migrations + SampleStore.migrations
        + BlockRows.migrations + IntakeStore.migrations + RecordStore.migrations + IntervalStore.migrations
        + ViewStore.migrations + FleetStore.migrations + FactStore.migrations + PasskeyStore.migrations

    /// Lists of an export, but for those that `AccountExport` reads page by page.
    public static let exports: [ExportList] = [
        ExportList(
            "sessions", of: .account, tables: ["session"], [.text("browser", "agent"), .time("created")],
            "FROM session WHERE account = :account ORDER BY created"),
        ExportList(
            "known_browsers", of: .account, tables: ["known_browser"], [.time("since"), .time("used")],
            "FROM known_browser WHERE account = :account ORDER BY since, id"),
        ExportList(
            "passkeys", of: .account, tables: ["passkey"], [.text("name"), .time("added"), .time("used")],
            "FROM passkey WHERE account = :account ORDER BY added, id"),
        ExportList(
            "links", of: .account, tables: ["link"],
            [
                .text("house", "gateway"), .text("person"), .text("role"), .text("state"), .text("reason"),
                .time("asked"), .time("decided"),
            ], "FROM link WHERE account = :account ORDER BY id"),
        ExportList(
            "intervals", of: .account, tables: ["interval_command"],
            [
                .text("house", "gateway"), .text("person"), .text("kind"), .number("seconds"), .time("asked"),
                .text("state"), .text("reason"), .time("answered"),
            ], "FROM interval_command WHERE account = :account ORDER BY asked, id"),
        ExportList(
            "fleets", of: .account, tables: ["fleet_member"], [.text("fleet")],
            "FROM fleet_member WHERE account = :account"),
        ExportList(
            "heartbeat_intervals", of: .account, tables: ["heartbeat_command"],
            [
                .text("house", "gateway"), .number("seconds"), .time("asked"), .text("state"), .text("reason"),
                .time("answered"),
            ], "FROM heartbeat_command WHERE account = :account ORDER BY asked, id"),
        ExportList(
            "policies", of: .person, tables: ["policy"],
            [.text("policy"), .flag("accepted"), .time("time", "at")],
            "FROM policy WHERE gateway = :gateway AND person = :person ORDER BY policy"),
        ExportList(
            "fact_requests", of: .person, tables: ["fact_sharing"],
            [.text("kind"), .text("state"), .text("reason"), .time("asked"), .time("decided")],
            "FROM fact_sharing WHERE gateway = :gateway AND person = :person ORDER BY asked, request"),
    ]
}
