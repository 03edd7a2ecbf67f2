import GatewayModel
import Hub
import RealTime
import Synchronization

/// Whether the box's clock is believed now, for every thread that asks.
final class ClockTrust: Sendable {
    struct Look: Hashable, Sendable {
        let wall: WallTime
        let isTrusted: Bool
        /// How often it was set since the first look.
        let steps: Int
    }

    private let isAssumedRight: Bool
    private let watch = Mutex(ClockWatch())

    /// - Parameter isAssumedRight: as the settings say, for a box whose kernel cannot tell.
    init(isAssumedRight: Bool) {
        self.isAssumedRight = isAssumedRight
    }

    var isTrusted: Bool { look().isTrusted }

    /// The time with whether it is believed: of one instant.
    func look() -> Look {
        watch.withLock { watch in
            let now = Clock.moment()
            let isTrusted = watch.isTrusted(at: now, isSynchronised: Clock.isSynchronised)
            return Look(wall: now.wall, isTrusted: isAssumedRight || isTrusted, steps: watch.steps)
        }
    }
}
