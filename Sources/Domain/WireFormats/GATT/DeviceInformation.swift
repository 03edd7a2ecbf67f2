public import GatewayModel

/// A text of the Device Information Service: 0x2A24...0x2A29 (Device Information Service 1.1, section 3).
public struct DeviceInformationString: Hashable, Sendable {
    /// Printable: the texts go to logs and screens, and a device chooses them freely. May be empty.
    public let text: String

    /// The longest value of an attribute (Core 5.4, Vol 3, Part F, 3.2.9).
    static let longest = 512

    /// Takes all bytes. Errors: `.notUTF8`, and `.outOfRange` for more than an attribute can hold.
    public init(from reader: inout ByteReader, field: String = "device information") throws(DecodeError) {
        guard reader.left <= Self.longest else { throw .outOfRange(field: field) }
        // Not every device sends a terminator, some send several or what lay behind it in their memory.
        let bytes = reader.rest().drop { $0 == 0 }.prefix { $0 != 0 }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8(field: field) }
        var scalars = text.unicodeScalars.filter {
            $0.properties.generalCategory != .control && $0.properties.generalCategory != .format
        }[...]
        while scalars.first?.properties.isWhitespace == true { scalars.removeFirst() }
        while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
        self.text = String(String.UnicodeScalarView(scalars))
    }
}

/// Battery Level, characteristic 0x2A19 (GATT Specification Supplement, "Battery Level").
public struct BatteryLevel: Hashable, Sendable {
    /// Nil: a reserved value, 101...255.
    public let percent: UInt8?

    public init(from reader: inout ByteReader) throws(DecodeError) {
        let level = try reader.uint8("battery level")
        percent = level <= 100 ? level : nil
    }
}

/// Body Sensor Location, characteristic 0x2A38 (GATT Specification Supplement, "Body Sensor Location"; Heart Rate
/// Service 1.0, 3.2).
public enum BodySensorLocation: UInt8, Hashable, Sendable {
    case other = 0
    case chest = 1
    case wrist = 2
    case finger = 3
    case hand = 4
    case earLobe = 5
    case foot = 6

    /// The specification's word.
    public var title: String { self == .earLobe ? "ear lobe" : "\(self)" }
}

/// Alert Level, characteristic 0x2A06 (GATT Specification Supplement, "Alert Level"). Written without response to
/// the Immediate Alert Service 0x1802, where it alerts at once; written and read in the Link Loss Service 0x1803,
/// where the wearable alerts by itself when the link drops.
extension AlertLevel {
    public var bytes: [UInt8] {
        switch self {
        case .none: [0]
        case .mild: [1]
        case .high: [2]
        }
    }
}
