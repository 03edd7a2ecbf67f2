/// System ID, characteristic 0x2A23 (GATT Specification Supplement, "System ID"): an EUI-64.
public struct SystemID: Hashable, Sendable {
    public let eui64: UInt64

    public init(from reader: inout ByteReader) throws(DecodeError) {
        eui64 = try reader.uint64("system ID")
    }

    /// The upper 24 bits, where the IEEE assigned that many.
    public var organizationallyUniqueIdentifier: UInt32 { UInt32(eui64 >> 40) }
    /// The lower 40 bits.
    public var manufacturerIdentifier: UInt64 { eui64 & 0xFF_FFFF_FFFF }
}
