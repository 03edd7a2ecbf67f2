import GatewayModel
package import MQTTBridge
package import Settings
import SettingsReading

extension BrokerSettings {
    /// Reads the settings of the TrackMe brokers. Blocking I/O.
    package init(from settings: GatewaySettings) throws {
        guard !settings.broker.access.addresses.isEmpty else { throw SetAside() }
        try self.init(settings.broker.access, clientID: settings.gateway.id.text)
    }

    /// Error for a `[broker]` section with a mistake.
    private struct SetAside: Error, CustomStringConvertible {
        let description = "[broker] is set aside: see homegateway check, mend it, then: homegateway reload"
    }
}
