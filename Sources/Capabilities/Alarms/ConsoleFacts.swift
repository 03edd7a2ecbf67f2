import Consent
package import ControlContract
import Hub
package import OutboxService
import Settings

extension GatewayCore {
    /// State that the rights of the console's sessions depend on.
    ///
    /// - Parameter alarms: alarms that are open or ended a short time ago.
    package func consoleFacts(of alarms: OpenAlarms) -> ControlRights.Facts {
        ControlRights.Facts(
            alarm: { alarms[$0] },
            request: { [gate] in gate.snapshot.requests[$0]?.request.person },
            wearer: { [roster] id in roster.wearables.first { $0.id == id }?.person },
            showsReadings: { [gate] in gate.holds(.homeDashboard, for: $0) },
            // The rule for a sender outside the house: the settings have to name them.
            isDecider: { [gate] in gate.mayDecide(for: $0, by: $1, means: .command) },
            screenPIN: { [settings] id in settings().persons.first { $0.id == id }?.screenPIN })
    }
}
