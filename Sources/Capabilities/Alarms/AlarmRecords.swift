import GatewayModel
package import Hub
import Logging
import SOSLocal
package import Settings
package import Vault

/// Records of alarms: the open alarms in memory, and the journal on the disk. This is the personal data that the alarms
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
        writer.eraseRecords(of: person, sparing: open.ids, done: done)
    }
}

extension AlarmJournal {
    /// Opens the journal for writing and repairs its end before anything is appended.
    package init(of gateway: GatewaySettings.Gateway, marks: StateMarks, reportingTo damage: StateDamage) {
        self.init(of: gateway, marks: marks)
        do throws(DiskFailure) {
            if let failure = try mend() { damage.report(.alarmJournal, failure) }
        } catch {
            damage.log.error("the alarm journal cannot be read", metadata: ["reason": "\(error)"])
        }
    }
}
