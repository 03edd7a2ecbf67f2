package import GatewayModel
import Hub
package import ServiceLifecycle

/// Supervision of the box and its wearables: the care loop, and the loop that feeds systemd's watchdog.
package struct SupervisionService: Capability {
    private let caretaker: Caretaker
    private let watchdog: Watchdog

    package init(_ caretaker: Caretaker, _ watchdog: Watchdog) {
        (self.caretaker, self.watchdog) = (caretaker, watchdog)
    }

    package var services: [any Service] { [caretaker, watchdog] }

    package var healthCodes: Set<HealthCode> {
        [
            .advertsRefused, .batteryLow, .batteryUnconfirmed, .clockNotSet, .houseBatteryLow, .mainsLost,
            .readingsUnproven, .sensorContactLost, .wearableAway, .wearableSilent,
        ]
    }
}
