package import GatewayModel
import RealTime
import Synchronization

/// Trust in the box's wall clock, shared by the threads.
package final class ClockTrust: Sendable {
    package struct Look: Hashable, Sendable {
        package let wall: WallTime
        package let isTrusted: Bool
        /// Number of steps since the first look.
        package let steps: Int
    }

    private let isAssumedRight: Bool
    private let stability = Mutex(ClockStability())

    /// - Parameter isAssumedRight: setting for a box whose kernel does not report synchronisation.
    package init(isAssumedRight: Bool) {
        self.isAssumedRight = isAssumedRight
    }

    package var isTrusted: Bool { look().isTrusted }

    /// Returns the time and whether it is trusted, both of one instant.
    package func look() -> Look {
        stability.withLock { stability in
            let now = Clock.moment()
            let isTrusted = stability.isTrusted(at: now, isSynchronised: Clock.isSynchronised)
            return Look(wall: now.wall, isTrusted: isAssumedRight || isTrusted, steps: stability.steps)
        }
    }
}
