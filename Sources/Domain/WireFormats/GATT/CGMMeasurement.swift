/// CGM Measurement, characteristic 0x2AA7 (GATT Specification Supplement, "CGM Measurement"; CGM Service 1.0.1,
/// section 3.1): one or more records, each with its length in front.
public struct CGMMeasurement: Hashable, Sendable {
    public struct Record: Hashable, Sendable {
        /// Milligrams per decilitre.
        public let concentration: MedFloat16
        /// Minutes since the session began.
        public let timeOffset: UInt16
        public let status: CGMStatus
        /// Milligrams per decilitre and minute, since the measurement before.
        public let trend: MedFloat16?
        /// Percent.
        public let quality: MedFloat16?
        /// A check sum came with it, and was right.
        public let isVerified: Bool
    }

    /// At least one.
    public let records: [Record]

    /// - Parameter hasCRC: whether CGM Feature has `.e2eCRC`. Nil where that was not read: then exactly two bytes
    ///   behind the last field are taken for the check sum, which nothing in the record announces.
    public init(from reader: inout ByteReader, hasCRC: Bool? = nil) throws(DecodeError) {
        var records = [try Record(from: &reader, hasCRC: hasCRC)]
        // What cannot be a record is left over, and does not spoil those before it.
        while let size = reader.next, size >= Record.smallest, Int(size) <= reader.left {
            records.append(try Record(from: &reader, hasCRC: hasCRC))
        }
        self.records = records
    }
}

extension CGMMeasurement.Record {
    /// Size, flags, concentration, time offset.
    static let smallest = 6

    init(from reader: inout ByteReader, hasCRC: Bool?) throws(DecodeError) {
        // The size counts itself.
        let size = try reader.uint8("size")
        guard size >= Self.smallest else { throw .outOfRange(field: "size") }
        var whole = [size] + (try reader.bytes(Int(size) - 1, "CGM measurement record"))
        if hasCRC == true { whole = try E2ECRC.verified(whole) }

        var fields = ByteReader(whole)
        _ = try fields.uint8("size")
        let flags = try fields.uint8("flags")
        concentration = try MedFloat16(from: &fields, "CGM glucose concentration")
        timeOffset = try fields.uint16("time offset")
        // Bits 7, 6, 5: the octets, in this order on the wire. One common library reads them in the order of the
        // bits; the supplement's table is followed here.
        var status: UInt32 = 0
        if flags & 0x80 != 0 { status |= UInt32(try fields.uint8("status")) }
        if flags & 0x40 != 0 { status |= UInt32(try fields.uint8("cal/temp")) << 8 }
        if flags & 0x20 != 0 { status |= UInt32(try fields.uint8("warning")) << 16 }
        self.status = CGMStatus(rawValue: status)
        // Bit 0: trend present.
        trend = flags & 0x01 == 0 ? nil : try MedFloat16(from: &fields, "CGM trend information")
        // Bit 1: quality present.
        quality = flags & 0x02 == 0 ? nil : try MedFloat16(from: &fields, "CGM quality")
        if hasCRC == nil, fields.left == 2 {
            _ = try E2ECRC.verified(whole)
            isVerified = true
        } else {
            isVerified = hasCRC == true
        }
    }
}
