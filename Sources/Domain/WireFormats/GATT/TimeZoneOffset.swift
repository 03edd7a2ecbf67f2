/// Time Zone, characteristic 0x2A0E (GATT Specification Supplement, "Time Zone"): standard time against UTC,
/// daylight saving not included. Not called TimeZone: Foundation has one, and adapters import both.
public struct TimeZoneOffset: Hashable, Sendable {
    /// East of UTC. Nil: unknown (-128), or outside -48...56 quarters of an hour.
    public let minutes: Int16?

    public init(from reader: inout ByteReader) throws(DecodeError) {
        let quarters = try reader.int8("time zone")
        minutes = (-48...56).contains(quarters) ? Int16(quarters) * 15 : nil
    }
}
