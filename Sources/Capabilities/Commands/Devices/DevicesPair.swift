import ArgumentParser
import ControlContract
import DeviceSetup
import GatewayModel
import Hub
import Settings
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
        if let other = signals.first(where: { !$0.event.meanings.contains($0.meaning) }) {
            throw ValidationError("--signal \(other.event.rawValue) cannot cancel: only a button can")
        }
    }

    func run() async throws {
        // The service reads the written file, and its user has to be able to read the named key.
        try eyes.open(for: file.config)
        let settings = try file.load()
        let devices = DevicesFile(of: settings, settingsPath: file.config)
        let way = PassKeyPrompts(passkey: passkey, isInteractive: Terminal.isInteractive)
        try await file.reportingErrors {
            let pairing = try DevicePairing(
                device, by: advertising ? .advertising : noBond ? .none : .pairing, isAnyAdmitted: anyway,
                in: settings, settingsPath: file.config, capability: way.capability, prompts: way.prompts,
                author: "homegateway devices pair")
            try pairing.check()
            let isElsewhere = settings.wearables.contains {
                $0.address == address && $0.place.file != devices.path
            }
            let forget = isElsewhere ? "bluetoothctl remove \(address)" : "homegateway devices forget \(id)"
            switch try await adviseOnPasskey(way, { try await pairing.run { show($0, afterReset: forget) } }) {
            case .unchanged: Shown.line("'\(id)' was added before; its settings are unchanged")
            case .useless(let device, let isBondDeleted): try giveUp(device, isBondDeleted: isBondDeleted)
            case .added(let after, _):
                Shown.line("added as '\(id)' of \(person) to \(devices.path)")
                file.reloadGateway(after)
                if advertising { return adviseOnAdverts(after) }
                Shown.line("next: homegateway watch     its readings, as they arrive")
                Shown.line("      homegateway devices show \(id)     which of its readings count")
            }
        }
    }

    private var device: NewDevice {
        NewDevice(
            id: id, address: address, person: person, heardBy: advertising ? .advertising : .connection,
            keyFile: keyFile,
            signals: GatewaySettings.Signals(
                Dictionary(signals.map { ($0.event, $0.meaning) }) { first, _ in first }))
    }

    private func adviseOnAdverts(_ settings: GatewaySettings) {
        if signals.isEmpty {
            SettingsOption.complain(
                "none of its events calls for help: for a button that does, forget the device and pair it with "
                    + "--signal button=sos-button, or write the signal in \(settings.devicesFile)")
        }
        Shown.line("next: press its button, then: homegateway status     how many of its adverts were heard")
    }

    /// Prints the services of the device, as far as they are known by then.
    /// - Parameter forget: command that deletes the bond; the gateway cannot see whether the device still has its half.
    private func show(_ step: DevicePairing.Step, afterReset forget: String) {
        switch step {
        case .lookedUp(let device):
            Shown.line(
                "\(address): \(device?.shownAbilities ?? "its services are not known until it was connected once")"
            )
        case .paired(let device):
            Shown.line("paired with \(device.shownName) (\(device.address)): \(device.shownAbilities)")
        case .alreadyPaired(let device):
            Shown.line("\(address) is paired with this computer already")
            Shown.line("if it was reset since then: \(forget), then this command again")
            if let device { Shown.line("it gives: \(device.shownAbilities)") }
        }
    }

    /// Ends the command for a device that the gateway has no use for.
    private func giveUp(_ device: NearbyDevice, isBondDeleted: Bool) throws {
        let bond = isBondDeleted ? ", and its bond is deleted again" : ""
        let remedy =
            device.knownServices.contains(.bthome)
            ? "it tells its events by adverts: add --advertising and --signal"
            : "check that this is the wearable that you mean; to add it all the same, add --anyway"
        SettingsOption.complain(
            "\(device.address) gives nothing that this gateway can read. It was not added\(bond): \(remedy)")
        throw ExitCode(1)
    }

    /// Runs the pairing, and advises on a passkey where a script gave none and the device may want one.
    private func adviseOnPasskey(
        _ way: PassKeyPrompts, _ body: () async throws -> DevicePairing.Outcome
    ) async throws -> DevicePairing.Outcome {
        do {
            return try await body()
        } catch let error as PairingError where way.capability == .noInputNoOutput && error.mayWantPasskey {
            SettingsOption.complain(
                "no passkey was given, and a script cannot be asked for it: if the device shows a passkey or has "
                    + "it on its label, add --passkey")
            throw error
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
