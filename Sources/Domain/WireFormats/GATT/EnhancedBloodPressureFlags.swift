/// Flags of the two enhanced Blood Pressure characteristics.
struct EnhancedBloodPressureFlags {
    private let bits: UInt8

    init(from reader: inout ByteReader) throws(DecodeError) {
        bits = try reader.uint8("flags")
    }

    // Bits 0-4 as in the plain measurement.
    var unit: BloodPressureUnit { bits & 0x01 == 0 ? .millimetresOfMercury : .kilopascals }
    var hasTimeStamp: Bool { bits & 0x02 != 0 }
    var hasPulseRate: Bool { bits & 0x04 != 0 }
    var hasUserID: Bool { bits & 0x08 != 0 }
    var hasStatus: Bool { bits & 0x10 != 0 }
    var hasUserFacingTime: Bool { bits & 0x20 != 0 }

    /// In seconds since 1970. Bit 6 is the epoch: clear 1900-01-01 (2 208 988 800 s before 1970), set 2000-01-01
    /// (946 684 800 s after).
    func time(_ seconds: UInt32) -> Int64 {
        Int64(seconds) + (bits & 0x40 == 0 ? -2_208_988_800 : 946_684_800)
    }
}
