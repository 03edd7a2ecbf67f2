/// A UUID of the attribute protocol, in the form BlueZ shows: 128 bits, lower case.
public struct BluetoothUUID: Hashable, Sendable, CustomStringConvertible {
    public let description: String

    /// A 16-bit number assigned by the Bluetooth SIG, on the Base UUID (Core 5.4, Vol 3, Part B, 2.5.1).
    public init(assigned number: UInt16) {
        let digits = String(number, radix: 16)
        let padding = String(repeating: "0", count: 8 - digits.count)
        description = padding + digits + "-0000-1000-8000-00805f9b34fb"
    }

    /// Nil unless `text` is a UUID in its 36-character form; either case.
    public init?(_ text: String) {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12],
            groups.allSatisfy({ group in group.allSatisfy { $0.isASCII && $0.isHexDigit } })
        else { return nil }
        description = text.lowercased()
    }
}

/// The characteristics this gateway knows (Bluetooth Assigned Numbers, "GATT Characteristics").
extension BluetoothUUID {
    public static let alertLevel = BluetoothUUID(assigned: 0x2A06)
    public static let dateTime = BluetoothUUID(assigned: 0x2A08)
    public static let glucoseMeasurement = BluetoothUUID(assigned: 0x2A18)
    public static let batteryLevel = BluetoothUUID(assigned: 0x2A19)
    public static let temperatureMeasurement = BluetoothUUID(assigned: 0x2A1C)
    public static let modelNumberString = BluetoothUUID(assigned: 0x2A24)
    public static let serialNumberString = BluetoothUUID(assigned: 0x2A25)
    public static let firmwareRevisionString = BluetoothUUID(assigned: 0x2A26)
    public static let hardwareRevisionString = BluetoothUUID(assigned: 0x2A27)
    public static let softwareRevisionString = BluetoothUUID(assigned: 0x2A28)
    public static let manufacturerNameString = BluetoothUUID(assigned: 0x2A29)
    public static let currentTime = BluetoothUUID(assigned: 0x2A2B)
    public static let glucoseMeasurementContext = BluetoothUUID(assigned: 0x2A34)
    public static let bloodPressureMeasurement = BluetoothUUID(assigned: 0x2A35)
    public static let heartRateMeasurement = BluetoothUUID(assigned: 0x2A37)
    public static let bodySensorLocation = BluetoothUUID(assigned: 0x2A38)
    public static let recordAccessControlPoint = BluetoothUUID(assigned: 0x2A52)
    public static let rscMeasurement = BluetoothUUID(assigned: 0x2A53)
    public static let plxSpotCheckMeasurement = BluetoothUUID(assigned: 0x2A5E)
    public static let plxContinuousMeasurement = BluetoothUUID(assigned: 0x2A5F)
    public static let locationAndSpeed = BluetoothUUID(assigned: 0x2A67)
    public static let positionQuality = BluetoothUUID(assigned: 0x2A69)
    public static let bodyCompositionMeasurement = BluetoothUUID(assigned: 0x2A9C)
    public static let weightMeasurement = BluetoothUUID(assigned: 0x2A9D)
    public static let cgmMeasurement = BluetoothUUID(assigned: 0x2AA7)
    public static let cgmFeature = BluetoothUUID(assigned: 0x2AA8)
    public static let cgmSessionStartTime = BluetoothUUID(assigned: 0x2AAA)
    public static let enhancedBloodPressureMeasurement = BluetoothUUID(assigned: 0x2B34)
    /// Button of cheap tags; the maker's number.
    public static let tagButton = BluetoothUUID(assigned: 0xFFE1)
}
