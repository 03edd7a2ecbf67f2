import GatewayModel
package import Hub
import Synchronization

/// Power supply of the box: reads it from the kernel, and raises the conditions of missing mains and a low battery.
package final class PowerMonitor: Sendable {
    /// Interval of the readings: missing mains are to be reported within seconds (T7).
    package static let interval = Duration.seconds(5)

    private struct State {
        var watch = PowerWatch()
        var supply: PowerSupply?
    }

    private let state = Mutex(State())
    private let health: HealthBoard

    package init(health: HealthBoard) {
        self.health = health
    }

    /// Supply at the last reading; nil before it, and where the kernel shows none.
    package var supply: PowerSupply? { state.withLock(\.supply) }

    /// Reads the supply. Blocking I/O, on the care thread.
    package func look() {
        let supply = PowerSupply()
        let changes = state.withLock { state in
            state.supply = supply
            return state.watch.see(supply)
        }
        for change in changes { health.set(change.condition, change.holds) }
    }
}
