/// Intermediate Temperature, characteristic 0x2A1E (Health Thermometer Service 1.0, section 3.3): the layout of
/// Temperature Measurement while the thermometer still settles. Its own type, so that no rule can take it for a
/// final value.
public struct IntermediateTemperature: Hashable, Sendable {
    /// For display only.
    public let reading: TemperatureMeasurement

    public init(from reader: inout ByteReader) throws(DecodeError) {
        reading = try TemperatureMeasurement(from: &reader)
    }
}
