package import GatewayModel
import Synchronization

/// Persons whose wearables are asked for their position: runners while their run is underway, and a person with an open
/// alarm, so that help finds the person. No other wearable is asked.
package final class FollowedPersons: Sendable {
    private struct State {
        var runners: Set<PersonID> = []
        var inAlarm: Set<PersonID> = []

        var persons: Set<PersonID> { inAlarm.union(runners) }
    }

    private let state = Mutex(State())
    private let follow: @Sendable (Set<PersonID>) -> Void

    /// - Parameter follow: called on each change, on the thread that brings it, within the lock, so that two changes keep
    ///   their order; must return at once and not call this object.
    package init(follow: @escaping @Sendable (Set<PersonID>) -> Void) {
        self.follow = follow
    }

    /// Replaces the runners. From any thread.
    package func setRunners(_ persons: Set<PersonID>) { change { $0.runners = persons } }

    /// Replaces the persons with an open alarm. From any thread.
    package func setPersonsInAlarm(_ persons: Set<PersonID>) { change { $0.inAlarm = persons } }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            let before = state.persons
            body(&state)
            if state.persons != before { follow(state.persons) }
        }
    }
}
