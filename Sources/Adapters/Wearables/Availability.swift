import Systemd

/// Whether Bluetooth can be used, and the obstacle.
struct Availability: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case usable, noBus, noService, noAnswer, noAdapter, poweredOff
    }

    let kind: Kind
    /// The observation and the remedy.
    let reason: String

    var isUsable: Bool { kind == .usable }

    static func usable(adapter: String) -> Availability {
        Availability(kind: .usable, reason: "\(adapter) is on")
    }

    static func noBus(_ address: BusAddress, _ error: BusError) -> Availability {
        Availability(
            kind: .noBus,
            reason: "\(address) cannot be used: \(error). Check that it runs: systemctl status dbus")
    }

    static let noService = Availability(
        kind: .noService,
        reason: "nobody owns org.bluez on the bus. Start bluetoothd: systemctl start bluetooth")

    static func notListed(_ error: BusError) -> Availability {
        let absent = ["ServiceUnknown", "NameHasNoOwner", "Spawn.ServiceNotFound"]
        if case .remote(let name, _) = error, absent.contains(where: { name.hasSuffix("Error." + $0) }) {
            return noService
        }
        return Availability(
            kind: .noAnswer,
            reason: "bluetoothd does not list its objects: \(error). See: journalctl -u bluetooth")
    }

    static func noAdapter(wanted: String?, shown: [String]) -> Availability {
        let seen =
            shown.isEmpty ? "bluetoothd shows no adapter" : "bluetoothd shows \(shown.joined(separator: ", "))"
        let missing = wanted.map { ", not \($0) as the settings ask" } ?? ""
        return Availability(
            kind: .noAdapter, reason: "\(seen)\(missing). Plug one in, or see: bluetoothctl list")
    }

    static func poweredOff(adapter: String) -> Availability {
        Availability(
            kind: .poweredOff,
            reason: "\(adapter) is switched off. Switch it on: rfkill unblock bluetooth; bluetoothctl power on")
    }
}
