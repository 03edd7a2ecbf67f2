import GatewayModel
import Hub
package import SOSLocal
import Synchronization

/// The drills that the house holds by itself: whose is due, and what became of those that were tried. Any thread.
final class DrillRota: Sendable {
    private struct State {
        var schedules: [PersonID: DrillSchedule] = [:]
        /// Until one is held: why the last try was none.
        var postponed: [PersonID: Alarm.Refusal] = [:]
        /// Open drills, also those that a person began.
        var open: Set<AlarmID> = []
    }

    private let state = Mutex(State())

    func plan(_ schedules: [PersonID: DrillSchedule]) {
        state.withLock { $0.schedules = schedules }
    }

    /// Records that a drill goes on, or is over.
    func note(_ drill: Alarm) {
        state.withLock { state in
            if drill.isOpen { state.open.insert(drill.id) } else { state.open.remove(drill.id) }
        }
    }

    /// The person with a drill to be tried now: one at a time, and none beside an open drill.
    /// - Parameter persons: nobody else is looked at.
    func due(among persons: [PersonID], at now: LocalTime) -> PersonID? {
        state.withLock { state in
            state.open.isEmpty ? persons.first { state.schedules[$0]?.isDue(at: now) == true } : nil
        }
    }

    /// The machine's answer to a drill. One that goes on already is as good as a new one.
    /// - Returns: why it is postponed, where that is news.
    func answered(_ person: PersonID, _ actions: [SOSAction], at now: LocalTime) -> Alarm.Refusal? {
        let refusal = actions.refusal
        return state.withLock { state in
            defer { state.postponed[person] = refusal }
            guard let refusal else {
                state.schedules[person]?.held(at: now)
                return nil
            }
            return state.postponed[person] == nil ? refusal : nil
        }
    }

    /// For `status`.
    var lines: [String] {
        let postponed = state.withLock(\.postponed)
        return postponed.sorted { $0.key.text < $1.key.text }.map { person, refusal in
            "the drill of \(person) is postponed: \(refusal.inWords)"
        }
    }
}

extension [SOSAction] {
    /// First refusal among the actions.
    package var refusal: Alarm.Refusal? {
        lazy.compactMap { if case .refuse(let refusal) = $0 { refusal } else { nil } }.first
    }
}
