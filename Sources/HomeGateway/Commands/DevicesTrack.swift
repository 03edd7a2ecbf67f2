import ArgumentParser
import GatewayModel
import SOSLocal
import Settings

/// `homegateway devices track`
struct DevicesTrack: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "track",
        abstract: "Switch a kind of reading of a device on or off, or choose it for SOS.",
        discussion: """
            What is off is dropped as it arrives: not judged, not kept, not sent.

            With --sos the device becomes the person's only source of this kind for
            alarms; the same kind from their other devices is still kept and sent.
            """)

    enum Switch: EnumerableFlag {
        case on, off
    }

    @Argument(help: ArgumentHelp("Its id.", valueName: "id"), transform: DeviceArgument.device)
    var id: DeviceID

    @Argument(
        help: ArgumentHelp("heart-rate, rr-interval, …", valueName: "kind"), transform: DeviceArgument.kind)
    var kind: QuantityKind

    @Flag(help: "Whether readings of this kind are taken.")
    var position: Switch

    @Flag(inversion: .prefixedNo, help: "Whether it is the only source for SOS.")
    var sos: Bool?

    @OptionGroup var file: SettingsOption

    func validate() throws {
        if position == .off, sos == true { throw ValidationError("what is off cannot be the source for SOS") }
    }

    func run() async throws {
        let settings = try file.load()
        let devices = DevicesFile(of: settings, settingsPath: file.config)
        try await file.carryingOut {
            let before = try settings.wearable(id)
            var (off, sosFor) = (before.off, before.sosFor)
            if position == .off { off.insert(kind) } else { off.remove(kind) }
            if sos == true { sosFor.insert(kind) }
            if sos == false || position == .off { sosFor.remove(kind) }
            guard off != before.off || sosFor != before.sosFor else {
                return Shown.line("nothing to change: it is so already")
            }
            try checkIsHere(before, devices, off: off, sosFor: sosFor)
            let after = try devices.choose(id, off: off, sosFor: sosFor, by: "homegateway devices track")
            Shown.line(
                "\(id): \(kind.rawValue) is \(position == .on ? "on" : "off")\(sosFor.contains(kind) ? ", the only source for SOS" : "")"
            )
            warn(after, before.person)
            file.tellGateway(after)
        }
    }

    /// Of a device that is written by hand, says what to write.
    private func checkIsHere(
        _ wearable: GatewaySettings.Wearable, _ devices: DevicesFile, off: Set<QuantityKind>,
        sosFor: Set<QuantityKind>
    ) throws(DevicesFileError) {
        do throws(DevicesFileError) {
            try devices.checkIsHere(wearable)
        } catch {
            SettingsOption.complain("to be written below its [[wearable]]:")
            for (key, kinds) in [("off", off), ("sos_for", sosFor)] {
                let words = kinds.map { "\"\($0.rawValue)\"" }.sorted().joined(separator: ", ")
                SettingsOption.complain("  \(key) = [\(words)]")
            }
            throw error
        }
    }

    /// A kind that alarms are made of, and that nothing may give any more.
    private func warn(_ settings: GatewaySettings, _ person: PersonID) {
        let hasRule =
            settings.persons.first { $0.id == person }?.plan.rules.contains { $0.kind == kind } ?? false
        let isLeft = settings.wearables.contains { $0.person == person && !$0.off.contains(kind) }
        guard hasRule, !isLeft else { return }
        SettingsOption.complain(
            "from now on \(kind.rawValue) raises no alarm for \(person): no device of theirs gives it")
    }
}
