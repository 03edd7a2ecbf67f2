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
