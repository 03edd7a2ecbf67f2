import ArgumentParser
import ControlContract
import GatewayModel
import Hub
import Settings
import Systemd
import Wearables

/// `homegateway devices forget`
struct DevicesForget: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Remove a device from its person, and delete its bond.",
        discussion: """
            To use it again, pair it again. A device of gateway.toml is not changed:
            remove it there by hand.
            """)

    @Argument(help: ArgumentHelp("Its id.", valueName: "id"), transform: NameArgument.parse)
    var id: DeviceID

    @Flag(name: .long, help: "Keep the bond with this computer.")
    var keepBond = false

    @Flag(name: .long, help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var file: SettingsOption

    func run() async throws {
        let settings = try file.load()
        let devices = DevicesFile(of: settings, settingsPath: file.config)
        try await file.reportingErrors {
            let wearable = try settings.wearable(id)
            try devices.checkIsHere(wearable)
            try confirm(wearable)
            let after = try devices.remove(id, by: "homegateway devices forget")
            Shown.line("'\(id)' is removed from \(devices.path)")
            // First, so that the gateway does not connect it again while it is forgotten.
            file.reloadGateway(after)
            guard !keepBond, wearable.heardBy == .connection else { return }
            try await deleteBond(wearable, settings)
        }
    }

    private func confirm(_ wearable: GatewaySettings.Wearable) throws {
        guard !yes else { return }
        guard Terminal.isInteractive else {
            SettingsOption.complain("nothing was changed: in a script, add --yes")
            throw ExitCode(1)
        }
        let hasBond = !keepBond && wearable.heardBy == .connection
        let bond = hasBond ? ", and delete its bond" : ""
        guard Terminal.confirms("remove \(id) (\(wearable.address)) from \(wearable.person)\(bond)?") else {
            SettingsOption.complain("nothing was changed")
            throw ExitCode(1)
        }
    }

    private func deleteBond(_ wearable: GatewaySettings.Wearable, _ settings: GatewaySettings) async throws {
        do throws(PairingError) {
            let wasKnown = try await KnownDevices.forget(
                wearable.address, bus: BusAddress(settings.bluetooth.bus))
            Shown.line(
                wasKnown
                    ? "its bond is deleted" : "bluetoothd does not know the device: there was no bond to delete"
            )
        } catch {
            SettingsOption.complain(
                "its bond was not deleted; delete it later: bluetoothctl remove \(wearable.address)")
            throw error
        }
    }
}
