import ArgumentParser
import GatewayModel
import Hub
import SOSLocal
import Settings
import Wearables

/// `homegateway devices show`
struct DevicesShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Say all that is known of one device, and what of it counts.")

    @Argument(help: ArgumentHelp("Its id.", valueName: "id"), transform: DeviceArgument.device)
    var id: DeviceID

    @OptionGroup var file: SettingsOption

    func run() async throws {
        let settings = try file.load()
        let wearable = try await file.carryingOut { try settings.wearable(id) }
        let seen = await SeenDevices(settings)
        let device = seen[wearable.address]
        var rows = [
            ["id", wearable.id.text], ["person", wearable.person.text],
            ["address", wearable.address.description], ["heard by", wearable.heardBy.rawValue],
            ["from", wearable.place.description],
            ["name", device?.shownName ?? "-"], ["recognised", device?.shownServices ?? "-"],
            ["connected", seen.word(device?.isConnected, of: wearable)],
            ["paired", seen.word(device?.isPaired, of: wearable)],
            ["bonded", seen.word(device?.isBonded, of: wearable)],
            ["battery", device?.battery.map { "\($0) %" } ?? "-"],
            ["adapter", device?.adapter ?? "-"],
        ]
        if wearable.heardBy == .connection {
            rows += Self.kinds(of: wearable, device, settings).map { [$0, $1] }
        }
        rows += wearable.signals.meanings.map { [$0.event, "means \($0.means.rawValue)"] }
        rows.append(["encrypted", wearable.keyFile.map { "with the key in \($0)" } ?? "no key"])
        rows.append([
            "silent after", wearable.silence.map { "\($0.components.seconds) s" } ?? "what suits its kind",
        ])
        for line in Shown.table(rows) { Shown.line(line) }
    }

    /// Of the kinds that its services can measure; of all, where they are not known.
    private static func kinds(
        of wearable: GatewaySettings.Wearable, _ device: NearbyDevice?, _ settings: GatewaySettings
    ) -> [(String, String)] {
        let given = Set(device?.services.flatMap(\.kinds) ?? [])
        let shown = QuantityKind.allCases.filter { kind in
            given.isEmpty || given.contains(kind) || wearable.off.contains(kind)
                || wearable.sosFor.contains(kind)
        }
        return shown.map { kind in (kind.rawValue, state(of: kind, wearable, settings)) }
    }

    private static func state(
        of kind: QuantityKind, _ wearable: GatewaySettings.Wearable, _ settings: GatewaySettings
    ) -> String {
        guard !wearable.off.contains(kind) else { return "off" }
        let person = settings.persons.first { $0.id == wearable.person }
        guard person?.plan.rules.contains(where: { $0.kind == kind }) == true else { return "on" }
        if wearable.sosFor.contains(kind) { return "on, the only source for SOS" }
        let rival = settings.wearables.first { $0.person == wearable.person && $0.sosFor.contains(kind) }
        return rival.map { "on, raises no alarm: the source for SOS is \($0.id)" } ?? "on, raises alarms"
    }
}
