import Alarms
import ArgumentParser
import GatewayModel
import Hub
import Settings
import Systemd
import Wearables

/// `homegateway devices list`
struct DevicesList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Say which devices there are, whose they are, and how they are.",
        discussion: "Where bluetoothd cannot be asked, the settings are shown without it.")

    @OptionGroup var file: SettingsOption

    func run() async throws {
        let settings = try file.load()
        guard !settings.wearables.isEmpty else { return Shown.line("no device yet: homegateway devices scan") }
        let seen = await SeenDevices(settings)
        let rows = settings.wearables.map { wearable in
            let device = seen[wearable.address]
            return [
                wearable.id.text, wearable.person.text, wearable.address.description, device?.shownName ?? "-",
                wearable.heardBy.rawValue, seen.word(device?.isConnected, of: wearable),
                seen.word(device?.isPaired, of: wearable),
                device?.battery.map { "\($0) %" } ?? "-", wearable.place.description,
            ]
        }
        let heading = ["ID", "PERSON", "ADDRESS", "NAME", "HEARD BY", "CONNECTED", "PAIRED", "BATTERY", "FROM"]
        for line in Shown.table([heading] + rows) { Shown.line(line) }
    }
}

/// What bluetoothd says of the devices, where it can be asked.
struct SeenDevices: Sendable {
    private let devices: [DeviceAddress: NearbyDevice]
    private let isKnown: Bool

    /// Complains on standard error where it cannot.
    init(_ settings: GatewaySettings) async {
        do throws(PairingError) {
            let list = try await KnownDevices.list(bus: BusAddress(settings.bluetooth.bus))
            // Of a device that several adapters know, the one that is connected counts.
            devices = Dictionary(list.map { ($0.address, $0) }) { $0.isConnected ? $0 : $1 }
            isKnown = true
        } catch {
            SettingsOption.complain("how they are is not known: \(error)")
            (devices, isKnown) = ([:], false)
        }
    }

    subscript(address: DeviceAddress) -> NearbyDevice? { devices[address] }

    /// As `word`; of one that is never connected to there is nothing to say.
    func word(_ isSo: Bool?, of wearable: GatewaySettings.Wearable) -> String {
        wearable.heardBy == .connection ? word(isSo) : "-"
    }

    /// What bluetoothd does not know is not so; while it cannot be asked, nobody knows.
    func word(_ isSo: Bool?) -> String {
        guard isKnown else { return "?" }
        return isSo == true ? "yes" : "no"
    }
}
