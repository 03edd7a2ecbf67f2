import ArgumentParser
import ControlContract
import ControlLink
import ControlSocket
import GatewayModel
import Hub
import SOSLocal
import Settings
import Systemd
import Vault
import Wearables
import WireFormats

/// `homegateway devices list`
struct DevicesList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the devices with their persons and their states.",
        discussion: "Without an answer of bluetoothd, only the settings are shown.")

    @OptionGroup var file: SettingsOption
    @OptionGroup var format: JSONOption

    /// Device for programs; a state is nil where it is not known.
    private struct Row: Encodable {
        let id, person, address: String
        let name: String?
        let heardBy: String
        let isConnected, isPaired: Bool?
        /// Percent.
        let battery: Int?
        /// Milliseconds since 1970.
        let lastHeard, lastPressed: Int64?
        let from: String
    }

    func run() async throws {
        let settings = try file.load()
        if format.json { return Shown.line(ExportJSON.text(await rows(of: settings))) }
        guard !settings.wearables.isEmpty else { return Shown.line("no device yet: homegateway devices scan") }
        let seen = await SeenDevices(settings)
        let signs = LifeSigns(settings, gateway: GatewaySocket(named: nil, settings: file.config))
        let rows = settings.wearables.map { wearable in
            let device = seen[wearable.address]
            return [
                wearable.id.text, wearable.person.text, wearable.address.description, device?.shownName ?? "-",
                wearable.heardBy.rawValue, seen.word(device?.isConnected, of: wearable),
                seen.word(device?.isPaired, of: wearable),
                (device?.battery ?? signs.battery(wearable)).map { "\($0) %" } ?? "-",
                signs.heard(wearable), signs.pressed(wearable), wearable.place.description,
            ]
        }
        let heading = [
            "ID", "PERSON", "ADDRESS", "NAME", "HEARD BY", "CONNECTED", "PAIRED", "BATTERY", "LAST HEARD",
            "LAST PRESSED", "FROM",
        ]
        for line in Shown.table([heading] + rows) { Shown.line(line) }
    }

    private func rows(of settings: GatewaySettings) async -> [Row] {
        let seen = await SeenDevices(settings)
        let signs = LifeSigns(settings, gateway: GatewaySocket(named: nil, settings: file.config))
        return settings.wearables.map { wearable in
            let device = seen[wearable.address]
            return Row(
                id: wearable.id.text, person: wearable.person.text, address: wearable.address.description,
                name: device?.shownName, heardBy: wearable.heardBy.rawValue, isConnected: device?.isConnected,
                isPaired: device?.isPaired, battery: device?.battery ?? signs.battery(wearable),
                lastHeard: signs.lastHeard(wearable)?.millisecondsSince1970,
                lastPressed: signs[wearable]?.pressed?.millisecondsSince1970,
                from: wearable.place.description)
        }
    }
}

/// Devices that bluetoothd knows; empty where bluetoothd does not answer.
struct SeenDevices: Sendable {
    private let devices: [DeviceAddress: NearbyDevice]
    private let isKnown: Bool

    /// Prints the reason on standard error where bluetoothd does not answer.
    init(_ settings: GatewaySettings) async {
        do throws(PairingError) {
            let list = try await KnownDevices.list(bus: BusAddress(settings.bluetooth.bus))
            // Where several adapters know a device, the connected entry counts.
            devices = Dictionary(list.map { ($0.address, $0) }) { $0.isConnected ? $0 : $1 }
            isKnown = true
        } catch {
            SettingsOption.complain("the states of the devices are unknown: \(error)")
            (devices, isKnown) = ([:], false)
        }
    }

    subscript(address: DeviceAddress) -> NearbyDevice? { devices[address] }

    /// As `word`; a hyphen for a device that only advertises.
    func word(_ isSo: Bool?, of wearable: GatewaySettings.Wearable) -> String {
        wearable.heardBy == .connection ? word(isSo) : "-"
    }

    /// Returns "no" for a state that bluetoothd does not know, and "?" while bluetoothd does not answer.
    func word(_ isSo: Bool?) -> String {
        guard isKnown else { return "?" }
        return isSo == true ? "yes" : "no"
    }
}

/// Signs of life of the wearables: of all by the running gateway, since its start; of SOS buttons and broadcasters as it
/// last wrote them into its state directory, too.
struct LifeSigns: Sendable {
    private let records: [DeviceID: SOSButtonRecord]
    private let isKnown: Bool
    /// Nil while no gateway answers.
    private let house: HouseSnapshot?

    /// Time limit for the answer of the gateway.
    private static let limit = Duration.seconds(5)

    /// Prints the reason on standard error where the state cannot be read. Blocking I/O.
    init(_ settings: GatewaySettings, gateway: GatewaySocket) {
        var client = try? gateway.client(limit: Self.limit)
        house = try? client?.ask(Verb.Status()).document
        do throws(DiskFailure) {
            let rows = try StateReader(in: settings.gateway.stateDirectory).rows(of: .sosButton).rows
            let records: [SOSButtonRecord] = rows.compactMap { $0.decoded() }
            self.records = Dictionary(records.map { ($0.device, $0) }) { first, _ in first }
            isKnown = true
        } catch {
            SettingsOption.complain("the times at which the buttons were heard are unknown: \(error)")
            (records, isKnown) = ([:], false)
        }
    }

    /// Nil for one under another address.
    subscript(wearable: GatewaySettings.Wearable) -> SOSButtonRecord? {
        records[wearable.id].flatMap { $0.address == wearable.address ? $0 : nil }
    }

    private func live(_ wearable: GatewaySettings.Wearable) -> HouseSnapshot.Device? {
        house?.devices.first { $0.id == wearable.id.text && $0.address == wearable.address.description }
    }

    /// Nil where it is not known.
    func lastHeard(_ wearable: GatewaySettings.Wearable) -> WallTime? {
        let age = [live(wearable)?.lastHeardAgeMs, live(wearable)?.lastReadingAgeMs].compactMap(\.self).min()
        let live = house.flatMap { house in age.map { WallTime(millisecondsSince1970: house.time - $0) } }
        return live ?? self[wearable]?.heard
    }

    /// Percent; nil where it is not known.
    func battery(_ wearable: GatewaySettings.Wearable) -> Int? {
        live(wearable)?.battery ?? self[wearable]?.battery
    }

    /// Time for people; "?" where nobody can know it.
    func heard(_ wearable: GatewaySettings.Wearable) -> String {
        if let heard = lastHeard(wearable) { return heard.inHouse }
        let isRecorded = wearable.heardBy == .advertising || Self.isSOSButton(wearable)
        if isRecorded { return word(nil) }
        return house == nil ? "?" : "not since the start"
    }

    /// Time for people; a hyphen for a wearable that is no SOS button.
    func pressed(_ wearable: GatewaySettings.Wearable) -> String {
        Self.isSOSButton(wearable) ? word(self[wearable]?.pressed) : "-"
    }

    private func word(_ time: WallTime?) -> String { isKnown ? time?.inHouse ?? "never" : "?" }

    private static func isSOSButton(_ wearable: GatewaySettings.Wearable) -> Bool {
        wearable.signals.meanings.contains { $0.means == .sosButton }
    }
}

/// `homegateway devices show`
struct DevicesShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show one device and which of its readings count.")

    @Argument(help: ArgumentHelp("Its id.", valueName: "id"), transform: NameArgument.parse)
    var id: DeviceID

    @OptionGroup var file: SettingsOption

    func run() async throws {
        let settings = try file.load()
        let wearable = try await file.reportingErrors { try settings.wearable(id) }
        let seen = await SeenDevices(settings)
        let device = seen[wearable.address]
        let signs = LifeSigns(settings, gateway: GatewaySocket(named: nil, settings: file.config))
        var rows = [
            ["id", wearable.id.text], ["person", wearable.person.text],
            ["address", wearable.address.description], ["heard by", wearable.heardBy.rawValue],
            ["from", wearable.place.description],
            ["name", device?.shownName ?? "-"], ["recognised", device?.shownServices ?? "-"],
            ["connected", seen.word(device?.isConnected, of: wearable)],
            ["paired", seen.word(device?.isPaired, of: wearable)],
            ["bonded", seen.word(device?.isBonded, of: wearable)],
            ["battery", (device?.battery ?? signs.battery(wearable)).map { "\($0) %" } ?? "-"],
            ["last heard", signs.heard(wearable)], ["last pressed", signs.pressed(wearable)],
            ["adapter", device?.adapter ?? "-"],
        ]
        if wearable.heardBy == .connection {
            rows += Self.kinds(of: wearable, device, settings).map { [$0, $1] }
        }
        rows += wearable.signals.meanings.map { [$0.event, "means \($0.means.rawValue)"] }
        rows.append(["encrypted", wearable.keyFile.map { "with the key in \($0)" } ?? "no key"])
        rows.append([
            "silent after", wearable.silence.map { "\($0.components.seconds) s" } ?? "the default of its kind",
        ])
        for line in Shown.table(rows) { Shown.line(line) }
    }

    /// Returns the states of the kinds that its services can measure; of all kinds, where its services are not known.
    private static func kinds(
        of wearable: GatewaySettings.Wearable, _ device: NearbyDevice?, _ settings: GatewaySettings
    ) -> [(String, String)] {
        let given = device?.services.flatMap(\.kinds) ?? []
        let uses = KindUse.all(
            of: wearable, measuring: given.isEmpty ? QuantityKind.allCases : given, among: settings.wearables,
            of: settings.persons)
        return uses.map { ($0.kind, $0.words) }
    }
}
