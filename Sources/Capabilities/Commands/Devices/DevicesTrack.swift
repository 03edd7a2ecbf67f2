import ArgumentParser
import ControlContract
import GatewayModel
import Hub
import Settings

/// `homegateway devices track`
struct DevicesTrack: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "track",
        abstract: "Switch a kind of reading of a device on or off, or choose it for SOS.",
        discussion: """
            A reading of a kind that is off is dropped: not judged, not kept, not sent.

            With --sos the device becomes the person's only source of this kind for
            alarms; the same kind from their other devices is still kept and sent.
            """)

    enum Switch: EnumerableFlag {
        case on, off
    }

    @Argument(help: ArgumentHelp("Its id.", valueName: "id"), transform: NameArgument.parse)
    var id: DeviceID

    @Argument(
        help: ArgumentHelp("heart-rate, rr-interval, …", valueName: "kind"), transform: DeviceArgument.kind)
    var kind: QuantityKind

    @Flag(help: "Whether readings of this kind are used.")
    var position: Switch

    @Flag(inversion: .prefixedNo, help: "Whether it is the only source for SOS.")
    var sos: Bool?

    @OptionGroup var file: SettingsOption

    func validate() throws {
        if position == .off, sos == true {
            throw ValidationError("--off and --sos exclude each other: a kind that is off is no source for SOS")
        }
    }

    func run() async throws {
        let settings = try file.load()
        let devices = DevicesFile(of: settings, settingsPath: file.config)
        try await file.reportingErrors {
            let before = try settings.wearable(id)
            let after: GatewaySettings?
            do throws(DevicesFileError) {
                after = try devices.track(
                    kind, of: id, isOn: position == .on, isSOSSource: sos, in: settings,
                    by: "homegateway devices track")
            } catch {
                if case .elsewhere = error { adviseOnSettings(before) }
                throw error
            }
            guard let after else { return Shown.line("no change: the value is already set") }
            let isSource = after.wearables.contains { $0.id == id && $0.sosFor.contains(kind) }
            Shown.line(
                "\(id): \(kind.rawValue) is \(position == .on ? "on" : "off")\(isSource ? ", the only source for SOS" : "")"
            )
            if let warning = after.silenced(kind, of: before.person) { SettingsOption.complain(warning) }
            file.reloadGateway(after)
        }
    }

    /// Prints the lines to write by hand for a device of gateway.toml.
    private func adviseOnSettings(_ wearable: GatewaySettings.Wearable) {
        let (off, sosFor) = wearable.tracking(kind, isOn: position == .on, isSOSSource: sos)
        SettingsOption.complain("to be written below its [[wearable]]:")
        for (key, kinds) in [("off", off), ("sos_for", sosFor)] {
            let words = kinds.map { "\"\($0.rawValue)\"" }.sorted().joined(separator: ", ")
            SettingsOption.complain("  \(key) = [\(words)]")
        }
    }
}
