import Settings
import Wearables

extension Wearable {
    /// As the radio needs to know it.
    init(_ settings: GatewaySettings.Wearable) {
        self.init(id: settings.id, address: settings.address, person: settings.person)
    }
}
