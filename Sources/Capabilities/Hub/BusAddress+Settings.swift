package import Settings
package import Systemd

extension BusAddress {
    package init(_ bus: GatewaySettings.Bluetooth.Bus) {
        self =
            switch bus {
            case .system: .system
            case .address(let address): .address(address)
            }
    }
}
