/// Heart Rate Measurement, characteristic 0x2A37 (GATT Specification Supplement, "Heart Rate Measurement";
/// Heart Rate Service 1.0, section 3.1).
public struct HeartRateMeasurement: Hashable, Sendable {
    public enum Contact: Hashable, Sendable {
        /// The sensor cannot tell.
        case unsupported
        case detected, lost
    }

    /// Beats per minute. 0 is how straps say "no reading".
    public let rate: UInt16
    public let contact: Contact
    /// Since the last reset. Kilojoules as the service and the devices count, though the supplement
    /// says joules.
    public let energyExpended: UInt16?
    /// The times between beats, oldest first, in 1/1024 s. None or several in one packet.
    public let intervals: [UInt16]

    /// Reserved flag bits are ignored. What follows the last field stays in `reader`: bytes that a later
    /// revision may have added, or half an interval, do not make the rate before them less true.
    /// Errors: `.truncated` where a field that the flags promise is cut.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        let flags = try reader.uint8("flags")
        // Bit 0: the rate is a uint16.
        rate = flags & 0x01 == 0 ? UInt16(try reader.uint8("heart rate")) : try reader.uint16("heart rate")
        // Bit 2: contact supported; bit 1: contact, meaningful only with bit 2.
        contact = flags & 0x04 == 0 ? .unsupported : flags & 0x02 == 0 ? .lost : .detected
        // Bit 3: energy expended present.
        energyExpended = flags & 0x08 == 0 ? nil : try reader.uint16("energy expended")
        // Bit 4: intervals fill the rest of the packet. A packet that has the bit and none is accepted.
        var intervals: [UInt16] = []
        if flags & 0x10 != 0 {
            while reader.left >= 2 { intervals.append(try reader.uint16("RR interval")) }
        }
        self.intervals = intervals
    }
}
