/// CGM Session Start Time, characteristic 0x2AAA (GATT Specification Supplement, "CGM Session Start Time").
public struct CGMSessionStartTime: Hashable, Sendable {
    public let dateTime: DateTime
    public let zone: LocalTimeInformation

    /// - Parameter hasCRC: whether CGM Feature has `.e2eCRC`.
    public init(from reader: inout ByteReader, hasCRC: Bool) throws(DecodeError) {
        let whole = try reader.bytes(hasCRC ? 11 : 9, "session start time")
        var fields = ByteReader(hasCRC ? try E2ECRC.verified(whole) : whole)
        dateTime = try DateTime(from: &fields)
        // Time Zone and DST Offset, as Local Time Information has them.
        zone = try LocalTimeInformation(from: &fields)
    }

    /// UTC. Nil where the time or its zone is unknown.
    public var secondsSince1970: Int64? {
        guard let local = dateTime.secondsSince1970AsUTC, let east = zone.minutesEastOfUTC else { return nil }
        return local - Int64(east) * 60
    }
}
