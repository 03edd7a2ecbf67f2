import GatewayModel
import Hub
import Settings
import Systemd
import Wearables
import WireFormats

/// Abilities of the wearables, from the gateway's own state and from bluetoothd.
enum KnownAbilities {
    /// Returns the abilities by device; a device without an entry was never connected or heard. Blocking I/O.
    static func all(
        of settings: GatewaySettings, asksBluetooth: Bool
    ) async -> [DeviceID: WearableAbilities] {
        var known = WearableAbilityStore.stored(in: settings.gateway.stateDirectory, of: settings.wearables)
        guard asksBluetooth else { return known }
        // Without an answer the stored abilities hold; the probe of Bluetooth tells the reason.
        let seen = (try? await KnownDevices.list(bus: BusAddress(settings.bluetooth.bus))) ?? []
        // The gateway has seen the characteristics, which tell more than the services.
        for wearable in settings.wearables where wearable.heardBy == .connection && known[wearable.id] == nil {
            let device = seen.first { $0.address == wearable.address && $0.areServicesComplete }
            known[wearable.id] = device.map { WearableAbilities($0.knownServices) }
        }
        return known
    }
}

extension WearableAbilities {
    /// Abilities of a device with these services.
    init(_ services: [GATTService]) {
        self.init(
            kinds: services.flatMap(\.kinds), streams: services.filter(\.canStream).flatMap(\.kinds),
            events: services.contains(.tag) ? [Self.press] : [])
    }
}
