/// Local Time Information, characteristic 0x2A0F (GATT Specification Supplement, "Local Time Information").
public struct LocalTimeInformation: Hashable, Sendable {
    public let timeZone: TimeZoneOffset
    public let dstOffset: DSTOffset

    public init(from reader: inout ByteReader) throws(DecodeError) {
        timeZone = try TimeZoneOffset(from: &reader)
        dstOffset = try DSTOffset(from: &reader)
    }

    /// Local wall time minus UTC. Nil where either part is unknown.
    public var minutesEastOfUTC: Int16? {
        guard let zone = timeZone.minutes, let dst = dstOffset.minutes else { return nil }
        return zone + dst
    }
}

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

/// DST Offset, characteristic 0x2A0D (GATT Specification Supplement, "DST Offset"): what daylight saving adds to
/// standard time.
public struct DSTOffset: Hashable, Sendable {
    /// 0, 30, 60 or 120. Nil: unknown (255), or a reserved code.
    public let minutes: Int16?

    public init(from reader: inout ByteReader) throws(DecodeError) {
        minutes =
            switch try reader.uint8("DST offset") {
            case 0: 0
            case 2: 30
            case 4: 60
            case 8: 120
            default: nil
            }
    }
}
