import ControlContract
import GatewayModel
import Hub
import SOSLocal
import Synchronization
import Vault

/// How drills ended: noted on the SOS thread, and told elsewhere.
final class DrillResults: Sendable {
    struct Result: Hashable, Sendable {
        let person: PersonID
        /// From the drill's beginning; nil where nobody answered.
        let answeredAfter: Duration?

        var change: HealthChange {
            HealthChange(
                condition: HealthCondition(.drillFailed, subject: person.text), holds: answeredAfter == nil)
        }
    }

    private struct State {
        var told: Set<AlarmID> = []
        var results: [Result] = []
    }

    private let state = Mutex(State())

    /// An alarm is as `alarm` says. One that was cancelled, or overtaken by an emergency, proves nothing.
    func note(_ alarm: Alarm, besides open: OpenAlarms) {
        guard alarm.cause.isDrill, !alarm.cause.isButtonTest, let ending = alarm.ending else { return }
        let person = alarm.cause.person
        let answeredAfter: Duration?
        switch ending {
        case .accepted: answeredAfter = alarm.timeline.sinceCrossing(ending.instant)
        case .lapsed where !open.all.contains(where: { $0.hasOvertaken(alarm) }): answeredAfter = nil
        case .lapsed, .aborted, .resolved: return
        }
        state.withLock { state in
            guard state.told.insert(alarm.id).inserted else { return }
            state.results.append(Result(person: person, answeredAfter: answeredAfter))
        }
    }

    /// What was noted since the last time.
    func take() -> [Result] {
        state.withLock { state in
            defer { state.results = [] }
            return state.results
        }
    }

    /// The persons whose last drill nobody answered, by the record.
    static func failed(in records: [AlarmRecord]) -> [String] {
        let drills = records.filter { $0.isRehearsal && [.accepted, .lapsed].contains($0.ending?.what) }
        // The newest first, as the journal gives them.
        let last = Dictionary(drills.map { ($0.person, $0) }) { newest, _ in newest }
        return last.values.filter { $0.ending?.what == .lapsed && !isOvertaken($0, in: records) }
            .map(\.person).sorted()
    }

    private static func isOvertaken(_ drill: AlarmRecord, in records: [AlarmRecord]) -> Bool {
        records.contains { record in
            guard !record.isDrill, record.priority != AlarmPriority.low.rawValue else { return false }
            let confirmed = record.steps.first { $0.what == .confirmed }?.at ?? record.crossing
            return confirmed >= drill.crossing && confirmed <= drill.ending?.at ?? ""
        }
    }
}

extension AlarmRecord {
    /// A drill that is no press of a button in its test.
    var isRehearsal: Bool { isDrill && device == nil }
}

extension Alarm {
    /// Whether it began while `drill` went on. A warning that was open before ends no drill.
    fileprivate func hasOvertaken(_ drill: Alarm) -> Bool {
        !cause.isDrill && priority > .low && timeline.confirmation >= drill.timeline.confirmation
    }
}
