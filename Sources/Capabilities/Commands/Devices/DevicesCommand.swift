import ArgumentParser
import ControlContract
import ControlLink
import ControlSocket
import DeviceSetup
import GatewayModel
import Hub
import Settings
import Wearables
import WireFormats

/// `homegateway devices …`
struct DevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "Find wearables, pair them, and choose which of their readings count.",
        discussion: """
            A new wearable:
              1. homegateway devices scan          wear it, bring it near
              2. homegateway devices pair ADDRESS --id strap --person maria
              3. homegateway watch                 its readings, as they arrive

            These commands use bluetoothd directly, whether the gateway runs or not.
            They write to devices.toml in the state directory; they never change
            gateway.toml.
            """,
        subcommands: [
            DevicesScan.self, DevicesPair.self, DevicesList.self, DevicesShow.self, DevicesTrack.self,
            DevicesBuzz.self, DevicesBattery.self, DevicesForget.self,
        ])
}

// Parts of several `devices` commands.
extension SettingsOption {
    /// Runs the body, and prints its error with the remedy on standard error. Exit code 69 where Bluetooth cannot be
    /// used, 78 where the settings are wrong, else 1.
    func reportingErrors<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as PairingError {
            Self.complain(error.description)
            if case .unavailable = error { throw ExitCode.unavailable }
            throw ExitCode(1)
        } catch let error as DevicesFileError {
            Self.complain(error.description)
            if case .settings = error { throw ExitCode.settingsWrong }
            throw ExitCode(1)
        }
    }

    /// Asks the running gateway to read the devices again, and prints its answer. A gateway that does not run or
    /// refuses is no failure: the file is written.
    func reloadGateway(_ settings: GatewaySettings) {
        do {
            var client = try ControlClient(path: settings.gateway.controlSocket)
            let reply = try client.ask(Verb.Reload())
            for line in reply.lines {
                if reply.isDone { Shown.line("gateway: \(line)") } else { Self.complain("gateway: \(line)") }
            }
            guard !reply.isDone else { return }
            Self.complain(
                "it takes effect at the gateway's next start: homegateway check, then systemctl restart homegateway"
            )
        } catch {
            Self.complain("it takes effect at the gateway's next start: \(error)")
        }
    }
}

/// Parsers of arguments into types of the domain. A wrong argument is a usage error (exit code 64).
enum DeviceArgument {
    static func address(_ text: String) throws -> DeviceAddress {
        guard let address = DeviceAddress(text) else {
            throw ValidationError(
                "'\(text)' is no address; expected one such as C0:FF:EE:00:00:01, see: homegateway devices scan"
            )
        }
        return address
    }

    static func kind(_ text: String) throws -> QuantityKind {
        guard let kind = QuantityKind(rawValue: text) else {
            let known = QuantityKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("'\(text)' is no kind of reading; expected one of \(known)")
        }
        return kind
    }

    struct Signal: Sendable {
        let event: SignalEvent
        let meaning: ButtonMeaning
    }

    /// Parses an event and its meaning, such as `button=sos-button`.
    static func signal(_ text: String) throws -> Signal {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let event = SignalEvent(rawValue: parts[0]),
            let meaning = ButtonMeaning(rawValue: parts[1])
        else {
            let events = SignalEvent.allCases.map(\.rawValue).joined(separator: ", ")
            let meanings = ButtonMeaning.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError(
                "'\(text)' is no signal; expected an event (\(events)), '=', and its meaning (\(meanings))")
        }
        return Signal(event: event, meaning: meaning)
    }
}

extension NearbyDevice {
    /// Name for a terminal, cleaned of control characters.
    var shownName: String {
        let name = Shown.text(name ?? "")
        return name.isEmpty ? "-" : name
    }

    var shownServices: String { Shown.list(services.map(\.title)) }

    /// Services in plain words, with the use that the gateway has for them.
    var shownAbilities: String {
        if isUseless {
            return Shown.list(services.map(\.title) + ["nothing that this gateway can read"])
        }
        return areServicesComplete
            ? shownServices : "\(shownServices); the rest is not known until it was connected once"
    }
}

/// `homegateway devices battery`
struct DevicesBattery: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "battery",
        abstract: "Confirm that the battery of an advertising device was changed.",
        discussion: """
            A device with a new battery counts its adverts from 0 again, as a replayed
            recording does. Until a person confirms the change here, such an advert
            calls for help and cannot cancel. Press the device's button near the box
            first; the running gateway counts from that press on.
            """)

    @Argument(help: ArgumentHelp("Its id.", valueName: "id"), transform: NameArgument.parse)
    var id: DeviceID

    @OptionGroup var who: WhoOption
    @OptionGroup var gateway: GatewayOption

    func run() throws {
        try gateway.ask(Verb.ConfirmBattery(id, by: who.name))
    }
}
