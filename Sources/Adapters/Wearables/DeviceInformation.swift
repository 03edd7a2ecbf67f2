import WireFormats

/// A device's statement about itself (Device Information, 0x180A; Body Sensor Location, 0x2A38).
public struct DeviceInformation: Hashable, Sendable {
    public private(set) var manufacturer: String?
    public private(set) var model: String?
    public private(set) var serialNumber: String?
    public private(set) var hardware: String?
    public private(set) var firmware: String?
    public private(set) var software: String?
    /// Place on the body that it is made for; the specification's words.
    public private(set) var bodyLocation: String?

    /// Takes the value of one characteristic; ignores a characteristic that is not known here.
    mutating func take(_ characteristic: BluetoothUUID, _ bytes: [UInt8]) {
        switch characteristic {
        case .manufacturerNameString: manufacturer = Self.text(bytes)
        case .modelNumberString: model = Self.text(bytes)
        case .serialNumberString: serialNumber = Self.text(bytes)
        case .hardwareRevisionString: hardware = Self.text(bytes)
        case .firmwareRevisionString: firmware = Self.text(bytes)
        case .softwareRevisionString: software = Self.text(bytes)
        case .bodySensorLocation: bodyLocation = bytes.first.flatMap(BodySensorLocation.init)?.title
        default: break
        }
    }

    /// Cut at 64 characters: no name is that long. Nil for an empty text, or bytes that are no text.
    private static func text(_ bytes: [UInt8]) -> String? {
        var reader = ByteReader(bytes)
        let words =
            (try? DeviceInformationString(from: &reader))?.text.prefix(64).split { $0.isWhitespace } ?? []
        return words.isEmpty ? nil : words.joined(separator: " ")
    }
}
