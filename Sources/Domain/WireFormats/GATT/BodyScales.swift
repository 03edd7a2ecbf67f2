/// Weight Measurement, characteristic 0x2A9D (GATT Specification Supplement, "Weight Measurement"; Weight Scale
/// Service 1.0, section 3.2).
public struct WeightMeasurement: Hashable, Sendable {
    public let units: BodyScaleUnits
    /// In steps of `units`. Nil: the measurement failed (0xFFFF).
    public let weight: UInt16?
    public let timeStamp: DateTime?
    public let userID: UserIndex?
    /// In 0.1 kg/m2.
    public let bmi: UInt16?
    /// In steps of `units`.
    public let height: UInt16?

    public init(from reader: inout ByteReader) throws(DecodeError) {
        let flags = try reader.uint8("flags")
        // Bit 0: imperial units.
        units = flags & 0x01 == 0 ? .si : .imperial
        let weight = try reader.uint16("weight")
        self.weight = weight == 0xFFFF ? nil : weight
        // Bit 1: time stamp present.
        timeStamp = flags & 0x02 == 0 ? nil : try DateTime(from: &reader)
        // Bit 2: user ID present.
        userID = flags & 0x04 == 0 ? nil : try UserIndex(from: &reader)
        // Bit 3: BMI and height present.
        bmi = flags & 0x08 == 0 ? nil : try reader.uint16("BMI")
        height = flags & 0x08 == 0 ? nil : try reader.uint16("height")
    }

    public var kilograms: Double? { weight.map(units.kilograms) }
    public var metres: Double? { height.map(units.metres) }
    public var kilogramsPerSquareMetre: Double? { bmi.map { Double($0) / 10 } }
}

/// Body Composition Measurement, characteristic 0x2A9C (GATT Specification Supplement, "Body Composition
/// Measurement"; Body Composition Service 1.0, section 3.2). Masses and height in steps of `units`.
public struct BodyCompositionMeasurement: Hashable, Sendable {
    public let units: BodyScaleUnits
    /// In 0.1 %. Nil: the measurement failed (0xFFFF).
    public let bodyFat: UInt16?
    public let timeStamp: DateTime?
    public let userID: UserIndex?
    /// Kilojoules.
    public let basalMetabolism: UInt16?
    /// In 0.1 %.
    public let musclePercentage: UInt16?
    public let muscleMass: UInt16?
    public let fatFreeMass: UInt16?
    public let softLeanMass: UInt16?
    public let bodyWaterMass: UInt16?
    /// In 0.1 ohm.
    public let impedance: UInt16?
    public let weight: UInt16?
    public let height: UInt16?
    /// The fields did not fit: the next indication belongs to the same measurement.
    public let isMultiplePacket: Bool

    public init(from reader: inout ByteReader) throws(DecodeError) {
        let flags = try reader.uint16("flags")
        // Bit 0: imperial units.
        units = flags & 0x0001 == 0 ? .si : .imperial
        let bodyFat = try reader.uint16("body fat percentage")
        self.bodyFat = bodyFat == 0xFFFF ? nil : bodyFat
        // Bits 1-11: what is present.
        timeStamp = flags & 0x0002 == 0 ? nil : try DateTime(from: &reader)
        userID = flags & 0x0004 == 0 ? nil : try UserIndex(from: &reader)
        basalMetabolism = flags & 0x0008 == 0 ? nil : try reader.uint16("basal metabolism")
        musclePercentage = flags & 0x0010 == 0 ? nil : try reader.uint16("muscle percentage")
        muscleMass = flags & 0x0020 == 0 ? nil : try reader.uint16("muscle mass")
        fatFreeMass = flags & 0x0040 == 0 ? nil : try reader.uint16("fat free mass")
        softLeanMass = flags & 0x0080 == 0 ? nil : try reader.uint16("soft lean mass")
        bodyWaterMass = flags & 0x0100 == 0 ? nil : try reader.uint16("body water mass")
        // The supplement's table says 10^-2 ohm; its text and the former XML say 0.1 ohm, as devices count.
        impedance = flags & 0x0200 == 0 ? nil : try reader.uint16("impedance")
        weight = flags & 0x0400 == 0 ? nil : try reader.uint16("weight")
        height = flags & 0x0800 == 0 ? nil : try reader.uint16("height")
        // Bit 12: multiple packets.
        isMultiplePacket = flags & 0x1000 != 0
    }

    public var bodyFatPercent: Double? { bodyFat.map { Double($0) / 10 } }
    public var musclePercent: Double? { musclePercentage.map { Double($0) / 10 } }
    public var impedanceOhms: Double? { impedance.map { Double($0) / 10 } }
    public var kilograms: Double? { weight.map(units.kilograms) }
    public var metres: Double? { height.map(units.metres) }
}

/// The units of Weight Measurement and Body Composition Measurement, bit 0 of their flags.
public enum BodyScaleUnits: Hashable, Sendable {
    case si, imperial

    /// 0.005 kg or 0.01 lb a step; the international pound is 0.45359237 kg.
    public func kilograms(_ steps: UInt16) -> Double {
        switch self {
        case .si: Double(steps) * 5 / 1_000
        case .imperial: Double(steps) * 0.45359237 / 100
        }
    }

    /// 0.001 m or 0.1 in a step; the international inch is 0.0254 m.
    public func metres(_ steps: UInt16) -> Double {
        switch self {
        case .si: Double(steps) / 1_000
        case .imperial: Double(steps) * 254 / 100_000
        }
    }
}

/// User ID of a device that several people share. Absent is not the same as unknown: a device without the field
/// has one user, a device that says "unknown" has several, and nobody may be guessed.
public enum UserIndex: Hashable, Sendable {
    case user(UInt8)
    case unknown

    public init(from reader: inout ByteReader) throws(DecodeError) {
        let raw = try reader.uint8("user ID")
        // The supplement's "unknown user".
        self = raw == 0xFF ? .unknown : .user(raw)
    }
}
