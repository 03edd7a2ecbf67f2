public import ControlContract
public import GatewayModel
public import SOSLocal

/// Course of every alarm (T8): a row of `state.sqlite` for each. Blocking I/O: not for the SOS thread.
public struct AlarmRecordStore: Sendable {
    /// One alarm every day for more than five years; 2 to 4 MB.
    public static let alarmsKept = 2_000

    /// Result of an erasure.
    public struct Erased: Hashable, Sendable {
        public let count: Int
        /// Number of open alarms: their records stay.
        public let spared: Int

        public init(count: Int, spared: Int) {
            (self.count, self.spared) = (count, spared)
        }
    }

    private let database: StateDatabase
    private let kept: Int

    /// - Parameter kept: number of alarms that are never thrown away, the newest.
    public init(_ database: StateDatabase, kept: Int = AlarmRecordStore.alarmsKept) {
        (self.database, self.kept) = (database, kept)
    }

    /// Changes that record the state of an alarm. Of more alarms than are kept the oldest go.
    public func changes(recording record: AlarmRecord) -> [StateChange] {
        // A row that cannot be read adds nothing: the record has the steps itself.
        let earlier = try? database.row(.alarmRecord, key: record.id).flatMap {
            $0.decoded(as: AlarmRecord.self)
        }
        return [(earlier.map(record.following) ?? record).change, .trim(.alarmRecord, to: kept)]
    }

    /// The newest alarm first.
    public func load() throws(DiskFailure) -> [AlarmRecord] {
        AlarmRecord.sorted(try database.rows(of: .alarmRecord))
    }

    /// Removes the rows of a person's alarms, and overwrites them in the file. A card keeps old blocks where it likes.
    ///
    /// - Parameter open: alarms with a record that is still growing; they stay.
    public func erase(_ person: PersonID, sparing open: Set<AlarmID>) throws(DiskFailure) -> Erased {
        let theirs = try load().filter { $0.person == person.text }
        let spared = Set(open.map(\.description)).intersection(theirs.map(\.id))
        try database.apply(theirs.filter { !spared.contains($0.id) }.map { .remove(.alarmRecord, key: $0.id) })
        try database.removeTraces()
        return Erased(count: theirs.count - spared.count, spared: spared.count)
    }
}

extension AlarmRecord {
    /// The row of the alarm.
    var change: StateChange { .put(.alarmRecord, id, self) }

    /// Records of the rows, the newest alarm first.
    public static func sorted(_ rows: [StateRow]) -> [AlarmRecord] {
        rows.compactMap { $0.decoded() }.sorted { ($0.crossing, $0.id) > ($1.crossing, $1.id) }
    }
}
