internal import GatewayModel
import SettingsReading

/// `[installed]`: where help is sent while no position is known (T9).
enum InstalledSection {
    static let address = Key(
        "address", .text(1...200, isPersonal: true), .required,
        "The postal address, as an ambulance needs it.")
    static let latitude = Key(
        "latitude", .number(-90...90), .optional("none"),
        "Degrees, WGS 84, north positive. Together with `longitude` or not at all.")
    static let longitude = Key(
        "longitude", .number(-180...180), .optional("none"),
        "Degrees, WGS 84, east positive. Together with `latitude` or not at all.")

    static let section = Section(
        ["installed"], isRequired: true, "Where help is sent while no position is known.",
        keys: [address, latitude, longitude], cost: .grave(.key),
        costs: [latitude.name: .key, longitude.name: .key],
        substitutes: [address.name: "not known: the settings of the gateway hold no usable address"])

    static func read(_ reader: SectionReader) -> InstalledPlace? {
        let address = reader.value(address)
        let coordinates = coordinates(reader)
        return address.map { InstalledPlace(address: $0, coordinates: coordinates) }
    }

    private static func coordinates(_ reader: SectionReader) -> Coordinates? {
        let north = reader.value(latitude)
        let east = reader.value(longitude)
        switch (reader.isWritten(latitude), reader.isWritten(longitude)) {
        case (true, false):
            reader.report("saw it without longitude, expected both or none: add longitude", latitude.name)
        case (false, true):
            reader.report("saw it without latitude, expected both or none: add latitude", longitude.name)
        case (false, false):
            guard reader.table != nil else { return nil }
            reader.warn(
                "no coordinates: an SOS without a position fix carries the address alone; "
                    + "add latitude and longitude", address.name)
        case (true, true): break
        }
        guard let north, let east else { return nil }
        return Coordinates(latitude: north, longitude: east)
    }
}
