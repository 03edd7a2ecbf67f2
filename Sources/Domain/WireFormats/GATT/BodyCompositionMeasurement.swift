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
