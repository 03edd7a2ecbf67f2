/// Measurement Interval, characteristic 0x2A21 (GATT Specification Supplement, "Measurement Interval").
public struct MeasurementInterval: Hashable, Sendable {
    /// Nil: no periodic measurement.
    public let seconds: UInt16?

    public init(from reader: inout ByteReader) throws(DecodeError) {
        let seconds = try reader.uint16("measurement interval")
        self.seconds = seconds == 0 ? nil : seconds
    }
}
