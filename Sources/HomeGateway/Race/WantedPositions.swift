import GatewayModel
import Hub
import RunBeacon
import Synchronization

/// Persons to follow: runners, for as long as their run is underway, and of a person with an open alarm,
/// so that help finds the person. Otherwise no wearable is asked for one and none is looked at.
final class WantedPositions: Sendable {
    typealias Follow = @Sendable (Set<PersonID>) -> Void

    private struct State {
        var bearers: Set<PositionBearer> = []
        /// With an open alarm.
        var inAlarm: Set<PersonID> = []
        var onChange: Follow?

        var persons: Set<PersonID> {
            inAlarm.union(bearers.compactMap { if case .person(let person) = $0 { person } else { nil } })
        }
    }

    private let state = Mutex(State())

    /// For a run. From any thread.
    func contains(_ bearer: PositionBearer) -> Bool { state.withLock { $0.bearers.contains(bearer) } }

    /// Whose wearables are to be asked: told now, and on each change, on the thread that brings it, within the lock; must
    /// return at once and come back with nothing.
    func onChange(_ onChange: @escaping Follow) {
        state.withLock { state in
            state.onChange = onChange
            onChange(state.persons)
        }
    }

    /// For runs. From any thread.
    func want(_ bearers: Set<PositionBearer>) { change { $0.bearers = bearers } }

    /// The persons with an open alarm. From any thread.
    func want(inAlarm persons: Set<PersonID>) { change { $0.inAlarm = persons } }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            let before = state.persons
            body(&state)
            if state.persons != before { state.onChange?(state.persons) }
        }
    }
}
