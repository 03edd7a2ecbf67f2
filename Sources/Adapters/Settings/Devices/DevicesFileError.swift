public import GatewayModel
import Glibc

/// Why the devices file was not changed. It is then as it was.
public enum DevicesFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The settings are wrong, or would be.
    case settings(SettingsError)
    case unknown(DeviceID, known: [DeviceID])
    /// It is in the settings file, which only people write.
    case elsewhere(DeviceID, GatewaySettings.Place)
    case idTaken(DeviceID, GatewaySettings.Place)
    case addressTaken(DeviceAddress, by: DeviceID, GatewaySettings.Place)
    case strangePerson(PersonID, known: [PersonID])
    case claimed(kind: String, by: DeviceID, GatewaySettings.Place)
    /// It is heard by advertising: there are no kinds to choose among.
    case givesNoReadings(DeviceID)
    /// Laid out by hand in a way that cannot be changed line by line.
    case notOurs(path: String)
    /// `number` is an `errno`.
    case disk(doing: String, path: String, number: Int32)

    public var description: String {
        switch self {
        case .settings(let error): error.description
        case .unknown(let id, let known):
            "there is no device '\(id)'\(Self.list(known.map(\.text), "; known are")): see homegateway devices list"
        case .elsewhere(let id, let place):
            "'\(id)' is written by hand at \(place), which no command changes: change it there"
        case .idTaken(let id, let place):
            "the id '\(id)' is taken by the device at \(place): choose another"
        case .addressTaken(let address, let id, let place):
            "\(address) is known already as '\(id)' at \(place): nothing to add; to begin anew, first run "
                + "homegateway devices forget \(id)"
        case .strangePerson(let person, let known):
            "there is no person '\(person)'\(Self.list(known.map(\.text), "; the settings have")): correct --person, "
                + "or add a [[person]] to the settings file"
        case .claimed(let kind, let other, let place):
            "\(kind) for SOS comes from '\(other)' (\(place)), and there can be one source: first take it from "
                + "there, with homegateway devices track \(other) \(kind) --on --no-sos"
        case .givesNoReadings(let id):
            "'\(id)' is heard by advertising and gives no readings: there is nothing to switch on or off"
        case .notOurs(let path):
            "\(path) is laid out by hand in a way that this command cannot change safely: change it by hand"
        case .disk(let doing, let path, let number):
            "\(doing) \(path): \(String(cString: strerror(number))) (errno \(number)): run it as root or as the "
                + "user homegateway, and check that the disk is there and not full"
        }
    }

    private static func list(_ names: [String], _ words: String) -> String {
        names.isEmpty ? "" : "\(words) \(names.joined(separator: ", "))"
    }
}
