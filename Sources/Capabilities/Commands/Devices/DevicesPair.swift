import ArgumentParser
import ControlContract
import GatewayModel
import Hub
import Settings
import Systemd
import Wearables
import WireFormats

/// `homegateway devices pair`
struct DevicesPair: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair",
        abstract: "Pair a device with this computer and give it to a person.",
        discussion: """
            Put the device into its pairing mode first (see its manual). At a terminal
            the command asks for a passkey, or whether two numbers are the same. From a
            script, give --passkey where the device has one; without it, only devices
            without a passkey can be paired.

            A BTHome button or sensor has no connection and no pairing: with
            --advertising it is only added to the settings, and its adverts count from
            then on. Its events have no effect without --signal.

            A device that gives nothing the gateway can read, such as a keyboard, is
            not added: its bond is deleted again. --anyway adds it all the same.

            A device that was reset has lost its bond, while this computer still has
            it: run homegateway devices forget first, then pair the device again.
            """)

    @Argument(
        help: ArgumentHelp("From homegateway devices scan.", valueName: "address"),
        transform: DeviceArgument.address)
    var address: DeviceAddress

    @Option(
        name: .long, help: ArgumentHelp("Its new id: strap, scale, …", valueName: "id"),
        transform: NameArgument.parse)
    var id: DeviceID

    @Option(
        name: .long, help: ArgumentHelp("The person who wears it, by the id in the settings.", valueName: "id"),
        transform: NameArgument.parse)
    var person: PersonID

    @Option(name: .long, help: ArgumentHelp("Its fixed passkey, if it has one.", valueName: "digits"))
    var passkey: String?

    @Flag(name: .long, help: "Add it without pairing: tags, and straps that need none.")
    var noBond = false

    @Flag(name: .long, help: "Add it although it gives nothing that the gateway can read.")
    var anyway = false

    @Flag(name: .long, help: "A device that only advertises: a BTHome button or sensor.")
    var advertising = false

    @Option(
        name: .long,
        help: ArgumentHelp("With --advertising: the file that holds its bind key.", valueName: "path"))
    var keyFile: String?

    @Option(
        name: .customLong("signal"), parsing: .singleValue,
        help: ArgumentHelp(
            "Meaning of an event, such as button=sos-button; may be repeated.", valueName: "event=meaning"),
        transform: DeviceArgument.signal)
    var signals: [DeviceArgument.Signal] = []

    @OptionGroup var file: SettingsOption
    @OptionGroup var eyes: RunAsUserOption

    func validate() throws {
        if advertising, passkey != nil || noBond || anyway {
            throw ValidationError(
                "--advertising is for devices without a connection: leave out --passkey, --no-bond and --anyway"
            )
        }
        if !advertising, keyFile != nil { throw ValidationError("--key-file needs --advertising") }
        let events = signals.map(\.event)
        if let twice = events.first(where: { event in events.count { $0 == event } > 1 }) {
            throw ValidationError("--signal \(twice.rawValue) is given more than once")
        }
        if !advertising, let event = events.first(where: { $0 != .button }) {
            throw ValidationError("--signal \(event.rawValue) needs --advertising: only adverts carry it")
        }
        let pressed: Set<DeviceArgument.Event> = [.button, .doublePress, .longPress]
        if let other = signals.first(where: { $0.meaning == .cancel && !pressed.contains($0.event) }) {
            throw ValidationError("--signal \(other.event.rawValue) cannot cancel: only a button can")
        }
    }

    func run() async throws {
        // The service reads the written file, and its user has to be able to read the named key.
        try eyes.open(for: file.config)
        let settings = try file.load()
        let isKnown = settings.wearables.contains {
            $0.id == id && $0.address == address && $0.person == person
        }
        let devices = DevicesFile(of: settings, settingsPath: file.config)
        try await file.reportingErrors {
            if !isKnown {
                // Before the person presses buttons on the device.
                try settings.checkIsNew(device(at: address))
                try devices.checkIsWritable()
            }
            let isElsewhere = settings.wearables.contains {
                $0.address == address && $0.place.file != devices.path
            }
            let forget = isElsewhere ? "bluetoothctl remove \(address)" : "homegateway devices forget \(id)"
            let paired = noBond || advertising ? nil : try await pair(settings, afterReset: forget)
            let found = noBond ? await lookUp(settings) : paired?.device
            guard !isKnown else { return Shown.line("'\(id)' was added before; its settings are unchanged") }
            if let found, found.isUseless, !anyway {
                try await giveUp(found, settings, hasNewBond: paired?.isNew ?? false)
            }
            let device = device(at: found?.address ?? address, note: paired?.device?.name)
            let after = try devices.add(device, by: "homegateway devices pair")
            Shown.line("added as '\(id)' of \(person) to \(devices.path)")
            file.reloadGateway(after)
            if advertising { return adviseOnAdverts(after) }
            Shown.line("next: homegateway watch     its readings, as they arrive")
            Shown.line("      homegateway devices show \(id)     which of its readings count")
        }
    }

    private func device(at address: DeviceAddress, note: String? = nil) -> NewDevice {
        func meaning(_ event: DeviceArgument.Event) -> ButtonMeaning? {
            signals.first { $0.event == event }?.meaning
        }
        return NewDevice(
            id: id, address: address, person: person, heardBy: advertising ? .advertising : .connection,
            keyFile: keyFile,
            signals: GatewaySettings.Signals(
                button: meaning(.button), doublePress: meaning(.doublePress), longPress: meaning(.longPress),
                vibration: meaning(.vibration)?.signal, motion: meaning(.motion)?.signal,
                moving: meaning(.moving)?.signal), note: note)
    }

    private func adviseOnAdverts(_ settings: GatewaySettings) {
        if signals.isEmpty {
            SettingsOption.complain(
                "none of its events calls for help: for a button that does, forget the device and pair it with "
                    + "--signal button=sos-button, or write the signal in \(settings.devicesFile)")
        }
        Shown.line("next: press its button, then: homegateway status     how many of its adverts were heard")
    }

    /// Prints the services of a device that is added without pairing, as far as bluetoothd knows them.
    private func lookUp(_ settings: GatewaySettings) async -> NearbyDevice? {
        let known = try? await KnownDevices.list(bus: BusAddress(settings.bluetooth.bus))
        let device = known?.first { $0.address == address }
        Shown.line(
            "\(address): \(device?.shownAbilities ?? "its services are not known until it was connected once")")
        return device
    }

    /// Ends the command for a device that the gateway has no use for. A bond that this command made is deleted.
    private func giveUp(_ device: NearbyDevice, _ settings: GatewaySettings, hasNewBond: Bool) async throws {
        if hasNewBond {
            _ = try await KnownDevices.forget(device.address, bus: BusAddress(settings.bluetooth.bus))
        }
        let bond = hasNewBond ? ", and its bond is deleted again" : ""
        let remedy =
            device.knownServices.contains(.bthome)
            ? "it tells its events by adverts: add --advertising and --signal"
            : "check that this is the wearable that you mean; to add it all the same, add --anyway"
        SettingsOption.complain(
            "\(device.address) gives nothing that this gateway can read. It was not added\(bond): \(remedy)")
        throw ExitCode(1)
    }

    private struct Paired {
        /// Nil where the device was paired before and bluetoothd has no data about it.
        let device: NearbyDevice?
        /// The bond was made by this command.
        let isNew: Bool
    }

    /// Pairs the device and prints its services.
    /// - Parameter forget: command that deletes the bond; the gateway cannot see whether the device still has its half.
    private func pair(_ settings: GatewaySettings, afterReset forget: String) async throws -> Paired {
        let bus = BusAddress(settings.bluetooth.bus)
        let way = PassKeyPrompts(passkey: passkey, isInteractive: Terminal.isInteractive)
        do throws(PairingError) {
            let session = try PairingSession(
                bus: bus, adapter: settings.bluetooth.adapter, device: address, capability: way.capability,
                prompts: way.prompts)
            let device = try await session.run()
            Shown.line("paired with \(device.shownName) (\(device.address)): \(device.shownAbilities)")
            return Paired(device: device, isNew: true)
        } catch {
            guard case .alreadyPaired = error else {
                if way.capability == .noInputNoOutput, error.mayWantPasskey {
                    SettingsOption.complain(
                        "no passkey was given, and a script cannot be asked for it: if the device shows a passkey or has "
                            + "it on its label, add --passkey")
                }
                throw error
            }
            Shown.line("\(address) is paired with this computer already")
            Shown.line("if it was reset since then: \(forget), then this command again")
            let known = try await KnownDevices.list(bus: bus).first { $0.address == address }
            if let known { Shown.line("it gives: \(known.shownAbilities)") }
            return Paired(device: known, isNew: false)
        }
    }
}

extension PairingError {
    /// Whether the device ended the pairing. A device that requires a passkey ends it with one of these errors.
    fileprivate var mayWantPasskey: Bool {
        switch self {
        case .authenticationFailed, .rejected, .cancelled(here: false): true
        default: false
        }
    }
}
