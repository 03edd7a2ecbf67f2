/// General Activity Instantaneous Data, characteristic 0x2B3C (Physical Activity Monitor Service 1.0): its header.
///
/// Here the known facts end: the header's layout is that of one library citing the service's tables, and what the
/// flags beside "device worn" put behind it, and in which widths, was not found in a source. The fields stay
/// undecoded, as do all other characteristics of the service, until a device or the specification shows them.
public struct GeneralActivityInstantaneousData: Hashable, Sendable {
    public let isFirstSegment: Bool
    public let isLastSegment: Bool
    /// 0...63, beginning anew.
    public let segmentCounter: UInt8
    /// Three bytes; as sent.
    public let flags: UInt32
    public let sessionID: UInt16
    public let subSessionID: UInt16
    /// As sent; its unit is not known.
    public let relativeTimeStamp: UInt32
    public let sequenceNumber: UInt32
    public let fields: [UInt8]

    public init(from reader: inout ByteReader) throws(DecodeError) {
        let segmentation = try reader.uint8("segmentation header")
        // Bits 0, 1 and 2-7, as in the Blood Pressure Record.
        isFirstSegment = segmentation & 0x01 != 0
        isLastSegment = segmentation & 0x02 != 0
        segmentCounter = segmentation >> 2
        flags = try reader.uint24("flags")
        sessionID = try reader.uint16("session ID")
        subSessionID = try reader.uint16("sub-session ID")
        relativeTimeStamp = try reader.uint32("relative time stamp")
        sequenceNumber = try reader.uint32("sequence number")
        fields = reader.rest()
    }

    public var isDeviceWorn: Bool { flags & 0x80_0000 != 0 }
}
