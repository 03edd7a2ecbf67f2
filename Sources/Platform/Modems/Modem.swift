public import Systemd

/// A modem as ModemManager shows it.
public struct Modem: Hashable, Sendable {
    /// MMModemState. An unknown state is kept as its number.
    public enum State: Hashable, Sendable {
        case failed
        case locked
        case disabled
        /// Being switched on, enabled, searching: on its way to `registered`.
        case underWay(String)
        /// Registered, or with a data connection, which does not disturb texts.
        case registered
        case other(Int32)

        init(_ number: Int32) {
            self =
                switch number {
                case -1: .failed
                case 1: .underWay("being initialised")
                case 2: .locked
                case 3: .disabled
                case 4: .underWay("being disabled")
                case 5: .underWay("being enabled")
                case 6: .underWay("enabled, not yet searching for a network")
                case 7: .underWay("searching for a network")
                case 8...11: .registered
                default: .other(number)
                }
        }
    }

    public let path: String
    public let state: State
    public let canText: Bool
    /// Whether it makes calls.
    public let canSpeak: Bool
    /// Per cent. Nil while the modem has not measured it: ModemManager then shows 0, or an old value.
    public let signal: UInt32?
    private let operatorName: String?
    /// By any of which the settings may call it: IMEI, port, device.
    public let names: [String]

    /// Nil for an object that is no modem.
    public init?(path: String, interfaces: BusValue) {
        guard let interfaces = interfaces.dictionary?.keyed(by: \.string),
            let properties = interfaces[ModemManager.modem]?.properties,
            case .int32(let state)? = properties["State"]
        else { return nil }
        self.path = path
        self.state = State(state)
        canText = interfaces[ModemManager.messaging] != nil
        canSpeak = interfaces[ModemManager.voice] != nil
        if case .structure(let values)? = properties["SignalQuality"], values.count == 2,
            case .uint32(let quality) = values[0], case .bool(true) = values[1]
        {
            signal = quality
        } else {
            signal = nil
        }
        operatorName = interfaces["\(ModemManager.modem).Modem3gpp"]?.properties?["OperatorName"]?.string
        names = ["EquipmentIdentifier", "PrimaryPort", "Device"].compactMap { properties[$0]?.string }
    }

    /// All that `GetManagedObjects` told, by path.
    public static func all(_ reply: [BusValue]) -> [Modem] {
        let objects = reply.first?.dictionary?.keyed(by: \.objectPath) ?? [:]
        return objects.compactMap { Modem(path: $0.key, interfaces: $0.value) }.sorted { $0.path < $1.path }
    }

    /// For people: `Rig Mobile, signal 58 %`.
    public var registration: String {
        [operatorName.flatMap { $0.isEmpty ? nil : $0 } ?? "registered", signal.map { "signal \($0) %" }]
            .compactMap(\.self).joined(separator: ", ")
    }
}

/// Which modem sends, and whether it can now.
extension Modem {
    public struct Problem: Error, Hashable { public let reason: String }

    /// - Parameter wanted: of `names`; nil for the only one there is.
    public static func choose(_ wanted: String?, of modems: [Modem]) throws(Problem) -> Modem {
        guard let wanted else {
            guard modems.count < 2 else {
                throw Problem(
                    reason:
                        "there are \(modems.count) modems, expected one: write modem = \"...\" with the IMEI "
                        + "or port of one of them: \(modems.compactMap(\.names.first).joined(separator: ", "))")
            }
            guard let only = modems.first else {
                throw Problem(reason: "ModemManager has no modem: check its cable and power, and: mmcli -L")
            }
            return only
        }
        guard let modem = modems.first(where: { $0.names.contains(wanted) }) else {
            let seen = modems.map { $0.names.joined(separator: " ") }.joined(separator: "; ")
            throw Problem(
                reason: "there is no modem \"\(wanted)\" (IMEI, port or device), saw "
                    + "\(seen.isEmpty ? "none" : seen): check its cable and power, and: mmcli -L")
        }
        return modem
    }

    /// Task of a modem.
    public enum Task: Hashable, Sendable { case texts, calls }

    public enum Readiness: Hashable {
        case ready
        case toBeEnabled
        /// May be ready soon.
        case waiting(reason: String)
        case never(reason: String)
    }

    public func readiness(for task: Task) -> Readiness {
        switch state {
        case .registered:
            switch task {
            case .texts:
                canText
                    ? .ready
                    : .never(reason: "the modem cannot send texts: use another one, or another SIM card")
            case .calls:
                canSpeak
                    ? .ready
                    : .never(
                        reason: "the modem cannot make calls (ModemManager shows no Voice for it): use another "
                            + "modem, or via = \"sip\"")
            }
        case .disabled: .toBeEnabled
        case .underWay(let what):
            .waiting(reason: "the modem is \(what): check its aerial and the SIM card's contract")
        case .locked:
            .never(
                reason: "the SIM card wants its PIN: switch that off once, with: "
                    + "mmcli -i any --pin=... --disable-pin")
        case .failed: .never(reason: "the modem has failed: check its SIM card, and: mmcli -m any")
        case .other(let number): .never(reason: "the modem is in state \(number), which is not known here")
        }
    }
}

/// Names of ModemManager's D-Bus API, 1.6 to 1.20 and newer.
public enum ModemManager {
    public static let service = "org.freedesktop.ModemManager1"
    public static let root = "/org/freedesktop/ModemManager1"
    public static let modem = "org.freedesktop.ModemManager1.Modem"
    public static let messaging = "org.freedesktop.ModemManager1.Modem.Messaging"
    public static let voice = "org.freedesktop.ModemManager1.Modem.Voice"
    public static let call = "org.freedesktop.ModemManager1.Call"
    public static let sms = "org.freedesktop.ModemManager1.Sms"
    public static let objects = "org.freedesktop.DBus.ObjectManager"
    /// MM_SMS_STATE_RECEIVED: all its parts have come.
    public static let received: UInt32 = 3
}

extension BusError {
    /// For the installer: the error's name at ModemManager or the bus, with the remedy.
    public func reason(_ doing: String) -> String {
        let advice = advice
        return "\(doing): \(description)" + (advice.isEmpty ? "" : "; \(advice)")
    }

    private var advice: String {
        guard case .remote(let name, _) = self else { return "check: systemctl status dbus" }
        switch name {
        case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner":
            return "install and start it: systemctl enable --now ModemManager"
        case "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Timeout":
            return "it does not answer in time; see: journalctl -u ModemManager"
        case "org.freedesktop.ModemManager1.Error.Core.Unauthorized", "org.freedesktop.DBus.Error.AccessDenied":
            return "polkit does not let the gateway's account do it: install systemd/homegateway.rules to "
                + "/etc/polkit-1/rules.d/"
        case _ where name.hasPrefix("org.freedesktop.ModemManager1.Error.Message."):
            return "the network or the modem refused it; check the SIM card's credit and the number"
        default: return ""
        }
    }

    /// Only this text failed: the network answered, and another number may fare better.
    public var isAboutTheText: Bool {
        guard case .remote(let name, _) = self else { return false }
        return name.hasPrefix("org.freedesktop.ModemManager1.Error.Message.")
            || name == "org.freedesktop.ModemManager1.Error.Core.InvalidArgs"
    }

    /// The other side has reported the outcome.
    public var isAnswer: Bool {
        guard case .remote(let name, _) = self else { return false }
        return name.hasPrefix("org.freedesktop.ModemManager1.Error.") && !name.hasSuffix("Timeout")
    }
}
