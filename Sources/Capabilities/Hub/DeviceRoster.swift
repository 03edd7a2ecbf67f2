import GatewayModel
package import Settings
import Synchronization

/// The wearables as they are now: those of the start until a reload brings others.
package final class DeviceRoster: Sendable {
    private struct State {
        var wearables: [GatewaySettings.Wearable]
        var policy: ReadingPolicy
    }

    private let state: Mutex<State>
    /// Held through a reload, file and all: two at a time take turns. Readings do not wait for it.
    private let reloading = Mutex(())

    package init(_ wearables: [GatewaySettings.Wearable]) {
        state = Mutex(State(wearables: wearables, policy: ReadingPolicy(wearables)))
    }

    package var wearables: [GatewaySettings.Wearable] { state.withLock(\.wearables) }
    /// Takes a lock for the time of a copy: asked for each reading.
    package var policy: ReadingPolicy { state.withLock(\.policy) }

    /// Replaces the wearables.
    ///
    /// - Parameters:
    ///   - load: reads the settings; may block.
    ///   - apply: called with the new wearables where the radio has to follow, while no other reload runs.
    package func reload<Failure: Error>(
        _ load: () throws(Failure) -> [GatewaySettings.Wearable],
        apply: ([GatewaySettings.Wearable]) -> Void
    ) throws(Failure) -> RosterChange {
        try reloading.withLock { _ throws(Failure) in
            let fresh = try load()
            let old = state.withLock { state in
                defer {
                    state.wearables = fresh
                    state.policy = ReadingPolicy(fresh)
                }
                return state.wearables
            }
            let change = RosterChange(from: old, to: fresh)
            if change.concernsTheRadio { apply(fresh) }
            return change
        }
    }
}
