/// All parts of one store.
public struct Stores: Sendable {
    public let accounts: any AccountStore
    public let sessions: any SessionStore
    public let passkeys: any PasskeyStore
    public let links: any LinkStore
    public let houses: any HouseStore
    public let samples: any SampleStore
    public let commands: any CommandStore
    public let intake: any IntakeStore
    public let records: any RecordStore
    public let retention: any RetentionStore
    public let intervals: any IntervalStore
    public let facts: any FactStore
    public let views: any ViewStore
    public let fleets: any FleetStore
    public let exports: any ExportStore

    public init(
        accounts: any AccountStore, sessions: any SessionStore, passkeys: any PasskeyStore,
        links: any LinkStore,
        houses: any HouseStore, samples: any SampleStore, commands: any CommandStore, intake: any IntakeStore,
        records: any RecordStore, retention: any RetentionStore, intervals: any IntervalStore,
        facts: any FactStore, views: any ViewStore, fleets: any FleetStore, exports: any ExportStore
    ) {
        (self.accounts, self.sessions, self.passkeys, self.links) = (accounts, sessions, passkeys, links)
        (self.houses, self.samples, self.commands, self.intake) = (houses, samples, commands, intake)
        (self.records, self.retention, self.intervals, self.views) = (records, retention, intervals, views)
        (self.facts, self.fleets, self.exports) = (facts, fleets, exports)
    }
}
