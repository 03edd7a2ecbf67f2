package import GatewayModel
package import SOSLocal
import Synchronization

/// Alarms that are open and alarms that ended a short time ago, for threads that must not wait for the SOS thread. The
/// lock is held for a look-up.
package final class OpenAlarms: Sendable {
    /// Time for which an ended alarm is shown: a page offers to call help after all, and names the helper.
    private static let recentLimit = Duration.seconds(600)
    /// Time for which an ended alarm is known, and an accepted one shown that nobody has ended.
    private static let endedLimit = Alarm.heldLimit
    /// Number of ended alarms that are known at most, of all persons.
    private static let mostEnded = 64

    private struct State {
        var open: [AlarmID: Alarm] = [:]
        /// The newest last.
        var ended: [Alarm] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// Records an alarm as it is now. On the SOS thread.
    package func note(_ alarm: Alarm) {
        state.withLock { state in
            state.open[alarm.id] = alarm.isOpen ? alarm : nil
            guard !alarm.isOpen else { return }
            if let index = state.ended.firstIndex(where: { $0.id == alarm.id }) {
                state.ended[index] = alarm
            } else {
                state.ended.append(alarm)
                if state.ended.count > Self.mostEnded { state.ended.removeFirst() }
            }
        }
    }

    /// Records the alarms of an earlier run that have ended, before the SOS thread begins.
    func restore(_ earlier: SOSSnapshot?) {
        for alarm in earlier?.watches.flatMap(\.alarms) ?? [] where !alarm.isOpen { note(alarm) }
    }

    package var count: Int { state.withLock(\.open.count) }

    /// The open alarms, the oldest first.
    package var all: [Alarm] {
        state.withLock { $0.open.values.sorted { $0.cause.instant < $1.cause.instant } }
    }

    package var ids: Set<AlarmID> { state.withLock { Set($0.open.keys) } }

    /// Persons with an open alarm.
    package var owners: Set<PersonID> { state.withLock { Set($0.open.values.map(\.cause.person)) } }

    package func isAnyOpen(of person: PersonID) -> Bool {
        state.withLock { $0.open.values.contains { $0.cause.person == person } }
    }

    /// The open alarm, where there is one alone, of a person or of all.
    func onlyOpen(of person: PersonID?) -> AlarmID? {
        let open = state.withLock { $0.open.values.filter { person == nil || $0.cause.person == person } }
        return open.count == 1 ? open.first?.id : nil
    }

    /// Alarms that ended in the last ten minutes, and those of the last hour that were accepted and not ended, the newest
    /// first.
    package func recent(at now: BootInstant) -> [Alarm] {
        state.withLock { state in
            state.ended.removeAll { !$0.hasEnded(within: Self.endedLimit, of: now) }
            return state.ended.filter { $0.hasEnded(within: Self.recentLimit, of: now) || $0.isHeld(at: now) }
                .reversed()
        }
    }

    /// Whether somebody has taken another call of the person, and nobody has ended it.
    func isAnyHeld(of person: PersonID, besides alarm: AlarmID, at now: BootInstant) -> Bool {
        state.withLock { state in
            state.ended.contains {
                $0.id != alarm && $0.cause.person == person && !$0.cause.isDrill && $0.isHeld(at: now)
            }
        }
    }

    /// Forgets the ended alarms of a person, as part of an erasure.
    func forget(_ person: PersonID) {
        state.withLock { state in state.ended.removeAll { $0.cause.person == person } }
    }

    /// An alarm that is open or ended a short time ago.
    package subscript(id: AlarmID) -> Alarm? {
        state.withLock { state in state.open[id] ?? state.ended.last { $0.id == id } }
    }
}

extension Alarm {
    fileprivate func hasEnded(within limit: Duration, of now: BootInstant) -> Bool {
        ending.map { $0.instant.duration(to: now) <= limit } ?? false
    }
}
