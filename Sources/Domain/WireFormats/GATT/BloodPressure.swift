/// Blood Pressure Measurement, characteristic 0x2A35 (GATT Specification Supplement, "Blood Pressure Measurement";
/// Blood Pressure Service 1.1, section 3.1).
public struct BloodPressureMeasurement: Hashable, Sendable {
    public let unit: BloodPressureUnit
    public let systolic: MedFloat16
    public let diastolic: MedFloat16
    public let meanArterialPressure: MedFloat16
    public let timeStamp: DateTime?
    /// Beats per minute.
    public let pulseRate: MedFloat16?
    public let userID: UserIndex?
    public let status: BloodPressureStatus?

    public init(from reader: inout ByteReader) throws(DecodeError) {
        let flags = try reader.uint8("flags")
        // Bit 0: kilopascals.
        unit = flags & 0x01 == 0 ? .millimetresOfMercury : .kilopascals
        systolic = try MedFloat16(from: &reader, "systolic")
        diastolic = try MedFloat16(from: &reader, "diastolic")
        meanArterialPressure = try MedFloat16(from: &reader, "mean arterial pressure")
        // Bit 1: time stamp present.
        timeStamp = flags & 0x02 == 0 ? nil : try DateTime(from: &reader)
        // Bit 2: pulse rate present.
        pulseRate = flags & 0x04 == 0 ? nil : try MedFloat16(from: &reader, "pulse rate")
        // Bit 3: user ID present.
        userID = flags & 0x08 == 0 ? nil : try UserIndex(from: &reader)
        // Bit 4: measurement status present.
        status =
            flags & 0x10 == 0 ? nil : BloodPressureStatus(rawValue: try reader.uint16("measurement status"))
    }

    public var systolicMillimetresOfMercury: Double? { unit.millimetresOfMercury(systolic) }
    public var diastolicMillimetresOfMercury: Double? { unit.millimetresOfMercury(diastolic) }
    public var meanMillimetresOfMercury: Double? { unit.millimetresOfMercury(meanArterialPressure) }

    /// Whether the cuff failed to measure. NaN is the sign: real cuffs send it with all status bits clear when
    /// they were moved or sat loose. The mean does not count, not every cuff computes it.
    public var isFailed: Bool { systolic.special != nil || diastolic.special != nil }
}

/// Enhanced Blood Pressure Measurement, characteristic 0x2B34 (GATT Specification Supplement, "Enhanced Blood
/// Pressure Measurement"): the plain one with times in seconds.
public struct EnhancedBloodPressureMeasurement: Hashable, Sendable {
    public let unit: BloodPressureUnit
    public let systolic: MedFloat16
    public let diastolic: MedFloat16
    public let meanArterialPressure: MedFloat16
    /// The device's base time, in seconds since 1970.
    public let timeStamp: Int64?
    /// Beats per minute.
    public let pulseRate: MedFloat16?
    public let userID: UserIndex?
    public let status: BloodPressureStatus?
    /// Time that the device showed its user, in seconds since 1970 as if the wall time were UTC.
    public let userFacingTime: Int64?

    public init(from reader: inout ByteReader) throws(DecodeError) {
        let flags = try EnhancedBloodPressureFlags(from: &reader)
        unit = flags.unit
        systolic = try MedFloat16(from: &reader, "systolic")
        diastolic = try MedFloat16(from: &reader, "diastolic")
        meanArterialPressure = try MedFloat16(from: &reader, "mean arterial pressure")
        timeStamp = flags.hasTimeStamp ? flags.time(try reader.uint32("time stamp")) : nil
        pulseRate = flags.hasPulseRate ? try MedFloat16(from: &reader, "pulse rate") : nil
        userID = flags.hasUserID ? try UserIndex(from: &reader) : nil
        status =
            flags.hasStatus ? BloodPressureStatus(rawValue: try reader.uint16("measurement status")) : nil
        userFacingTime = flags.hasUserFacingTime ? flags.time(try reader.uint32("user facing time")) : nil
    }

    public var systolicMillimetresOfMercury: Double? { unit.millimetresOfMercury(systolic) }
    public var diastolicMillimetresOfMercury: Double? { unit.millimetresOfMercury(diastolic) }
    public var meanMillimetresOfMercury: Double? { unit.millimetresOfMercury(meanArterialPressure) }

    /// As with the plain measurement: a word that is not a number was not measured.
    public var isFailed: Bool { systolic.special != nil || diastolic.special != nil }
}

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

/// Measurement Status of the Blood Pressure characteristics (GATT Specification Supplement, "Blood Pressure
/// Measurement").
public struct BloodPressureStatus: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let bodyMovement = BloodPressureStatus(rawValue: 1 << 0)
    public static let cuffTooLoose = BloodPressureStatus(rawValue: 1 << 1)
    public static let irregularPulse = BloodPressureStatus(rawValue: 1 << 2)
    public static let improperPosition = BloodPressureStatus(rawValue: 1 << 5)

    public enum PulseRange: UInt16, Hashable, Sendable {
        case within = 0
        case aboveUpperLimit = 1
        case belowLowerLimit = 2
        case reserved = 3
    }

    /// Bits 3 and 4, against the device's own limits.
    public var pulseRange: PulseRange { PulseRange(rawValue: rawValue >> 3 & 0b11) ?? .reserved }
}

/// The unit of a Blood Pressure characteristic, bit 0 of its flags.
public enum BloodPressureUnit: Hashable, Sendable {
    case millimetresOfMercury, kilopascals

    /// Nil where `pressure` is not a number.
    public func millimetresOfMercury(_ pressure: MedFloat16) -> Double? {
        switch self {
        case .millimetresOfMercury: pressure.value
        // The conventional millimetre of mercury is 133.322387415 Pa: 13 595.1 kg/m3 x 9.80665 m/s2 x 1 mm.
        case .kilopascals: pressure.value(timesTenTo: 3).map { $0 / 133.322387415 }
        }
    }
}
