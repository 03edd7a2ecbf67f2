import GatewayModel
package import Settings
package import SettingsReading
package import Wearables
import WireFormats

extension Broadcaster {
    /// Those of the wearables that are heard by advertising, with their keys. Blocking I/O.
    ///
    /// Errors: the first key that cannot be used. A device whose key is wrong is never heard in the clear instead.
    package static func all(in wearables: [GatewaySettings.Wearable]) throws(SettingsError) -> [Broadcaster] {
        var broadcasters: [Broadcaster] = []
        for wearable in wearables where wearable.heardBy == .advertising {
            let key = try wearable.readKey().flatMap(AES128Key.init)
            broadcasters.append(
                Broadcaster(id: wearable.id, address: wearable.address, person: wearable.person, key: key))
        }
        return broadcasters
    }
}
