import GatewayModel
package import Settings
import Synchronization

/// The wearables as they are now: those of the start until a reload brings others.
package final class DeviceRoster: Sendable {
    package typealias Replace = @Sendable ([GatewaySettings.Wearable]) -> Void

    private struct State {
        var wearables: [GatewaySettings.Wearable]
        var policy: ReadingPolicy
        var replace: Replace?
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

    /// How the radio and the supervision are told; until then changes of the devices themselves wait for
    /// the next start.
    package func onReplace(_ replace: @escaping Replace) {
        state.withLock { $0.replace = replace }
    }

    /// - Parameter load: reads the settings; may block.
    /// - Returns: what has changed, and whether the radio follows at once.
    package func reload<Failure: Error>(
        _ load: () throws(Failure) -> [GatewaySettings.Wearable]
    ) throws(Failure) -> (change: RosterChange, isFollowed: Bool) {
        try reloading.withLock { _ throws(Failure) in
            let fresh = try load()
            let (old, replace) = state.withLock { state in
                defer {
                    state.wearables = fresh
                    state.policy = ReadingPolicy(fresh)
                }
                return (state.wearables, state.replace)
            }
            let change = RosterChange(from: old, to: fresh)
            if change.concernsTheRadio { replace?(fresh) }
            return (change, replace != nil)
        }
    }
}
