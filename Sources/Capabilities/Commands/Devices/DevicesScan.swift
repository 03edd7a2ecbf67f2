import ArgumentParser
import ControlContract
import ControlLink
import ControlSocket
import GatewayModel
import Hub
import Settings
import Systemd
import Wearables
import WireFormats

/// `homegateway devices scan`
struct DevicesScan: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "List devices that are near.",
        discussion: """
            The strongest signal first. Wear the device or press its button: most
            devices are silent while they are unused or connected to a phone.
            """)

    @OptionGroup var file: SettingsOption

    @Option(name: .long, help: ArgumentHelp("Time to listen, 1 to 120.", valueName: "seconds"))
    var seconds = 10

    @Flag(name: .long, help: "Print one JSON object a line, for programs.")
    var json = false

    func validate() throws {
        guard (1...120).contains(seconds) else { throw ValidationError("--seconds takes 1 to 120") }
    }

    func run() async throws {
        let settings = try file.load()
        if !json, Terminal.isInteractive { SettingsOption.complain("listening for \(seconds) s …") }
        let devices = try await file.reportingErrors {
            try await DiscoveryList(
                bus: BusAddress(settings.bluetooth.bus), adapter: settings.bluetooth.adapter,
                duration: .seconds(seconds)
            ).run()
        }
        let known = Dictionary(settings.wearables.map { ($0.address, $0.id) }) { first, _ in first }
        if json {
            for device in devices { try show(Found(device, known: known[device.address])) }
        } else {
            show(devices, known, settings)
        }
    }

    private func show(
        _ devices: [NearbyDevice], _ known: [DeviceAddress: DeviceID], _ settings: GatewaySettings
    ) {
        guard !devices.isEmpty else {
            Shown.line(
                "nothing was heard in \(seconds) s: wear the device, press its button, bring it near; disconnect it"
            )
            return Shown.line("from phones; then try again, longer: homegateway devices scan --seconds 30")
        }
        let rows = devices.map { device in
            [
                device.address.description, device.signal.map { "\($0) dBm" } ?? "-", device.shownName,
                device.shownServices, Self.state(device, known[device.address]),
            ]
        }
        for line in Shown.table([["ADDRESS", "SIGNAL", "NAME", "RECOGNISED", "STATE"]] + rows) {
            Shown.line(line)
        }
        let person = settings.persons.count == 1 ? settings.persons[0].id.text : "ID"
        Shown.line("\nto add one: homegateway devices pair ADDRESS --id ID --person \(person)")
        guard devices.contains(where: { $0.services.contains(.bthome) }) else { return }
        Shown.line("one that is BTHome: the same with --advertising --signal button=sos-button")
    }

    private static func state(_ device: NearbyDevice, _ known: DeviceID?) -> String {
        Shown.list(
            [
                known.map { "known as \($0)" }, device.isConnected ? "connected" : nil,
                device.isPaired ? "paired" : nil,
            ].compactMap { $0 }, orElse: "new")
    }

    private func show(_ device: Found) throws {
        StandardStream.output.write(String(decoding: try ControlJSON.line(device), as: UTF8.self))
    }

    /// One line of `--json`.
    private struct Found: Encodable {
        let address: String
        let name: String?
        let signalDbm: Int?
        let services: [String]
        let knownAs: String?
        let isPaired: Bool
        let isConnected: Bool

        init(_ device: NearbyDevice, known: DeviceID?) {
            address = device.address.description
            name = device.name
            signalDbm = device.signal
            services = device.services.map(\.title)
            knownAs = known?.text
            (isPaired, isConnected) = (device.isPaired, device.isConnected)
        }
    }
}
