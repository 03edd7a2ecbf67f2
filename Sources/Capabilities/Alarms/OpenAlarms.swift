package import GatewayModel
package import SOSLocal
import Synchronization

/// Which alarms are open, for whoever must not wait for the SOS thread: held for the time of a look-up.
package final class OpenAlarms: Sendable {
    private let persons = Mutex<[AlarmID: PersonID]>([:])

    /// An alarm is as `alarm` says. On the SOS thread.
    package func note(_ alarm: Alarm) {
        persons.withLock { $0[alarm.id] = alarm.isOpen ? alarm.cause.person : nil }
    }

    package var count: Int { persons.withLock(\.count) }

    package var ids: Set<AlarmID> { persons.withLock { Set($0.keys) } }

    /// Those with an open alarm.
    package var owners: Set<PersonID> { persons.withLock { Set($0.values) } }

    package func isAnyOpen(of person: PersonID) -> Bool {
        persons.withLock { $0.values.contains(person) }
    }
}
