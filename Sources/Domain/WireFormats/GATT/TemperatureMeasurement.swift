/// Temperature Measurement, characteristic 0x2A1C
/// (GATT Specification Supplement, "Temperature Measurement"; Health Thermometer Service 1.0, section 3.1).
public struct TemperatureMeasurement: Hashable, Sendable {
    public enum Unit: Hashable, Sendable {
        case celsius, fahrenheit
    }

    public let unit: Unit
    public let temperature: MedFloat32
    public let timeStamp: DateTime?
    public let type: OpenCode<TemperatureType>?

    public init(from reader: inout ByteReader) throws(DecodeError) {
        let flags = try reader.uint8("flags")
        // Bit 0: Fahrenheit.
        unit = flags & 0x01 == 0 ? .celsius : .fahrenheit
        temperature = try MedFloat32(from: &reader, "temperature")
        // Bit 1: time stamp present.
        timeStamp = flags & 0x02 == 0 ? nil : try DateTime(from: &reader)
        // Bit 2: type present.
        type = flags & 0x04 == 0 ? nil : OpenCode(try reader.uint8("temperature type"))
    }

    /// Nil where nothing was measured.
    public var celsius: Double? {
        switch unit {
        case .celsius: temperature.value
        case .fahrenheit: temperature.value.map { ($0 - 32) * 5 / 9 }
        }
    }
}

/// Temperature Type, characteristic 0x2A1D, and a part of Temperature Measurement (GATT Specification Supplement,
/// "Temperature Type"): where on the body.
public enum TemperatureType: UInt8, Hashable, Sendable {
    case armpit = 1
    case body = 2
    case earLobe = 3
    case finger = 4
    case gastrointestinalTract = 5
    case mouth = 6
    case rectum = 7
    case toe = 8
    case tympanum = 9
}
