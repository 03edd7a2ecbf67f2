import GatewayModel
import RunBeacon
import Synchronization

/// Whose positions are wanted: of runners, for as long as their run is underway. Where nobody's are, as in every house
/// without a race, no wearable is asked for one and none is looked at.
final class WantedPositions: Sendable {
    typealias Follow = @Sendable (Set<PersonID>) -> Void

    private struct State {
        var bearers: Set<PositionBearer> = []
        var onChange: Follow?

        var persons: Set<PersonID> {
            Set(bearers.compactMap { if case .person(let person) = $0 { person } else { nil } })
        }
    }

    private let state = Mutex(State())

    /// From any thread.
    func contains(_ bearer: PositionBearer) -> Bool { state.withLock { $0.bearers.contains(bearer) } }

    /// Whose wearables are to be asked: told now, and on each change, on the thread that brings it, within the lock; must
    /// return at once and come back with nothing.
    func onChange(_ onChange: @escaping Follow) {
        state.withLock { state in
            state.onChange = onChange
            onChange(state.persons)
        }
    }

    /// From any thread.
    func want(_ bearers: Set<PositionBearer>) {
        state.withLock { state in
            state.bearers = bearers
            state.onChange?(state.persons)
        }
    }
}
