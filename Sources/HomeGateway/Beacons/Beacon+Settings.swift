import GatewayModel
import Settings
import Wearables
import WireFormats

extension Beacon {
    /// Those of the wearables that are heard by advertising, with their keys. Blocking I/O.
    ///
    /// Errors: the first key that cannot be used. A device whose key is wrong is never heard in the clear instead.
    static func all(in wearables: [GatewaySettings.Wearable]) throws(SettingsError) -> [Beacon] {
        var beacons: [Beacon] = []
        for wearable in wearables where wearable.heardBy == .advertising {
            let key = try wearable.readKey().flatMap(AES128Key.init)
            beacons.append(
                Beacon(id: wearable.id, address: wearable.address, person: wearable.person, key: key))
        }
        return beacons
    }
}
