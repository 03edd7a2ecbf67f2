import WireFormats

/// What a device says of itself (Device Information, 0x180A; Body Sensor Location, 0x2A38).
public struct DeviceInformation: Hashable, Sendable {
    public private(set) var manufacturer: String?
    public private(set) var model: String?
    public private(set) var serialNumber: String?
    public private(set) var hardware: String?
    public private(set) var firmware: String?
    public private(set) var software: String?
    /// Where on the body it is meant to be; the specification's words.
    public private(set) var bodyLocation: String?

    /// What a read of one characteristic says; one that is not known here says nothing.
    mutating func take(_ characteristic: BluetoothUUID, _ bytes: [UInt8]) {
        switch characteristic {
        case .manufacturerNameString: manufacturer = Self.text(bytes)
        case .modelNumberString: model = Self.text(bytes)
        case .serialNumberString: serialNumber = Self.text(bytes)
        case .hardwareRevisionString: hardware = Self.text(bytes)
        case .firmwareRevisionString: firmware = Self.text(bytes)
        case .softwareRevisionString: software = Self.text(bytes)
        case .bodySensorLocation: bodyLocation = bytes.first.flatMap { Self.locations[$0] }
        default: break
        }
    }

    /// UTF-8; devices differ on whether a NUL or spaces end it. Cut where no name is that long.
    private static func text(_ bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self).prefix(64)
        let words = text.split { $0.isWhitespace }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// Body Sensor Location (Heart Rate Service 1.0, 3.2).
    private static let locations: [UInt8: String] = [
        0: "other", 1: "chest", 2: "wrist", 3: "finger", 4: "hand", 5: "ear lobe", 6: "foot",
    ]
}
