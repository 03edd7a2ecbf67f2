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
