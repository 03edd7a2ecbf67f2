/// Exact Time 256, characteristic 0x2A0C (GATT Specification Supplement, "Exact Time 256").
public struct ExactTime256: Hashable, Sendable {
    public let dayDateTime: DayDateTime
    /// In 1/256 s.
    public let fractions256: UInt8

    public init(from reader: inout ByteReader) throws(DecodeError) {
        dayDateTime = try DayDateTime(from: &reader)
        fractions256 = try reader.uint8("fractions256")
    }

    public init(_ dateTime: DateTime, fractions256: UInt8) {
        dayDateTime = DayDateTime(dateTime)
        self.fractions256 = fractions256
    }

    public var bytes: [UInt8] { dayDateTime.bytes + [fractions256] }
}
