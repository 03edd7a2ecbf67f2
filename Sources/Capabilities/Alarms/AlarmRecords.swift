import GatewayModel
import Hub
import SOSLocal

/// Records of alarms: the open alarms in memory, and the rows of all alarms on the disk. This is the personal data that the alarms
/// keep. From any thread.
struct AlarmRecords: Sendable {
    let open = OpenAlarms()
    private let writer: StateWriter

    init(writer: StateWriter) {
        self.writer = writer
    }

    /// Records the state of an alarm. On the SOS thread, at once.
    func record(_ alarm: Alarm) {
        open.note(alarm)
        writer.record(alarm)
    }

    /// Reads the records of one person, for an export.
    func export(of person: PersonID, done: @escaping StateWriter.RecordsAnswer) {
        writer.records(of: person, done: done)
    }

    /// Erases the records of one person, except those of open alarms.
    func erase(of person: PersonID, done: @escaping StateWriter.ErasedAnswer) {
        open.forget(person)
        writer.eraseRecords(of: person, sparing: open.ids, done: done)
    }
}
