public import GatewayModel

/// Current Time, characteristic 0x2A2B (GATT Specification Supplement, "Current Time"; Current Time Service 1.1,
/// section 3.1). Read to learn a device's clock, written to set it. Local wall time.
public struct CurrentTime: Hashable, Sendable {
    /// Why the time was adjusted. Bits 4-7 are reserved.
    public struct AdjustReason: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let manualTimeUpdate = AdjustReason(rawValue: 1 << 0)
        public static let externalReferenceTimeUpdate = AdjustReason(rawValue: 1 << 1)
        public static let changeOfTimeZone = AdjustReason(rawValue: 1 << 2)
        public static let changeOfDST = AdjustReason(rawValue: 1 << 3)
    }

    public let exactTime: ExactTime256
    public let adjustReason: AdjustReason

    public init(from reader: inout ByteReader) throws(DecodeError) {
        exactTime = try ExactTime256(from: &reader)
        adjustReason = AdjustReason(rawValue: try reader.uint8("adjust reason"))
    }

    /// The time to set a device to; nil outside the years 1582...9999.
    /// - Parameter minutesEastOfUTC: the zone's offset at `wall`, daylight saving included.
    public init?(_ wall: WallTime, minutesEastOfUTC: Int16, adjustReason: AdjustReason) {
        let (local, overflow) = wall.millisecondsSince1970.addingReportingOverflow(
            Int64(minutesEastOfUTC) * 60_000)
        let fraction = (local % 1_000 + 1_000) % 1_000
        guard !overflow,
            let dateTime = DateTime(secondsSince1970AsUTC: local / 1_000 - (local % 1_000 < 0 ? 1 : 0))
        else { return nil }
        // 999 ms are 255/256 s: the fraction never rounds up into the next second.
        exactTime = ExactTime256(dateTime, fractions256: UInt8(fraction * 256 / 1_000))
        self.adjustReason = adjustReason
    }

    /// Ten bytes.
    public var bytes: [UInt8] { exactTime.bytes + [adjustReason.rawValue] }
}

/// Exact Time 256, characteristic 0x2A0C (GATT Specification Supplement, "Exact Time 256").
public struct ExactTime256: Hashable, Sendable {
    public let dayDateTime: DayDateTime
    /// In 1/256 s.
    public let fractions256: UInt8

    public init(from reader: inout ByteReader) throws(DecodeError) {
        dayDateTime = try DayDateTime(from: &reader)
        fractions256 = try reader.uint8("fractions256")
    }

    public init(_ dateTime: DateTime, fractions256: UInt8) {
        dayDateTime = DayDateTime(dateTime)
        self.fractions256 = fractions256
    }

    public var bytes: [UInt8] { dayDateTime.bytes + [fractions256] }
}

/// Day Date Time, characteristic 0x2A0A (GATT Specification Supplement, "Day Date Time").
public struct DayDateTime: Hashable, Sendable {
    public let dateTime: DateTime
    /// As the device says, be it right or not. Nil: unknown, or a number that is no day.
    public let dayOfWeek: DayOfWeek?

    public init(from reader: inout ByteReader) throws(DecodeError) {
        dateTime = try DateTime(from: &reader)
        dayOfWeek = DayOfWeek(rawValue: try reader.uint8("day of week"))
    }

    public init(_ dateTime: DateTime) {
        self.dateTime = dateTime
        dayOfWeek = dateTime.dayOfWeek
    }

    public var bytes: [UInt8] { dateTime.bytes + [dayOfWeek?.rawValue ?? 0] }
}

/// Day of Week, characteristic 0x2A09 (GATT Specification Supplement, "Day of Week"). 0 is "unknown" there.
public enum DayOfWeek: UInt8, CaseIterable, Hashable, Sendable {
    case monday = 1
    case tuesday = 2
    case wednesday = 3
    case thursday = 4
    case friday = 5
    case saturday = 6
    case sunday = 7
}
