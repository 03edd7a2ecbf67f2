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
        // A rest that cannot be a record is left over, and does not spoil the records before it.
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

/// The three octets of CGM Measurement's Sensor Status Annunciation, and of CGM Status, as one set (GATT
/// Specification Supplement, "CGM Measurement").
public struct CGMStatus: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    // Status octet.
    public static let sessionStopped = CGMStatus(rawValue: 1 << 0)
    public static let deviceBatteryLow = CGMStatus(rawValue: 1 << 1)
    public static let sensorTypeIncorrect = CGMStatus(rawValue: 1 << 2)
    public static let sensorMalfunction = CGMStatus(rawValue: 1 << 3)
    public static let deviceSpecificAlert = CGMStatus(rawValue: 1 << 4)
    public static let generalDeviceFault = CGMStatus(rawValue: 1 << 5)
    // Cal/Temp octet.
    public static let timeSynchronizationRequired = CGMStatus(rawValue: 1 << 8)
    public static let calibrationNotAllowed = CGMStatus(rawValue: 1 << 9)
    public static let calibrationRecommended = CGMStatus(rawValue: 1 << 10)
    public static let calibrationRequired = CGMStatus(rawValue: 1 << 11)
    public static let temperatureTooHigh = CGMStatus(rawValue: 1 << 12)
    public static let temperatureTooLow = CGMStatus(rawValue: 1 << 13)
    public static let calibrationPending = CGMStatus(rawValue: 1 << 14)
    // Warning octet.
    public static let belowPatientLow = CGMStatus(rawValue: 1 << 16)
    public static let abovePatientHigh = CGMStatus(rawValue: 1 << 17)
    public static let belowHypo = CGMStatus(rawValue: 1 << 18)
    public static let aboveHyper = CGMStatus(rawValue: 1 << 19)
    public static let rateOfDecreaseExceeded = CGMStatus(rawValue: 1 << 20)
    public static let rateOfIncreaseExceeded = CGMStatus(rawValue: 1 << 21)
    public static let resultTooLow = CGMStatus(rawValue: 1 << 22)
    public static let resultTooHigh = CGMStatus(rawValue: 1 << 23)
}

/// CGM Feature, characteristic 0x2AA8 (GATT Specification Supplement, "CGM Feature").
public struct CGMFeature: Hashable, Sendable {
    /// Bits 17-23 are reserved.
    public struct Supported: OptionSet, Hashable, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        public static let calibration = Supported(rawValue: 1 << 0)
        public static let patientHighLowAlerts = Supported(rawValue: 1 << 1)
        public static let hypoAlerts = Supported(rawValue: 1 << 2)
        public static let hyperAlerts = Supported(rawValue: 1 << 3)
        public static let rateAlerts = Supported(rawValue: 1 << 4)
        public static let deviceSpecificAlert = Supported(rawValue: 1 << 5)
        public static let sensorMalfunctionDetection = Supported(rawValue: 1 << 6)
        public static let temperatureHighLowDetection = Supported(rawValue: 1 << 7)
        public static let resultHighLowDetection = Supported(rawValue: 1 << 8)
        public static let lowBatteryDetection = Supported(rawValue: 1 << 9)
        public static let sensorTypeErrorDetection = Supported(rawValue: 1 << 10)
        public static let generalDeviceFault = Supported(rawValue: 1 << 11)
        public static let e2eCRC = Supported(rawValue: 1 << 12)
        public static let multipleBonds = Supported(rawValue: 1 << 13)
        public static let multipleSessions = Supported(rawValue: 1 << 14)
        public static let trendInformation = Supported(rawValue: 1 << 15)
        public static let quality = Supported(rawValue: 1 << 16)
    }

    public let supported: Supported
    public let sample: GlucoseSample

    /// The check sum is always there, and counts only where the feature says so.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        let whole = try reader.bytes(6, "CGM feature")
        var fields = ByteReader(whole)
        supported = Supported(rawValue: try fields.uint24("CGM feature"))
        sample = try GlucoseSample(from: &fields)
        if supported.contains(.e2eCRC) { _ = try E2ECRC.verified(whole) }
    }
}

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

/// E2E-CRC of the CGM, Pulse Oximeter and Blood Pressure services: CRC-16/MCRF4XX (polynomial 0x1021 reflected,
/// start 0xFFFF, no final inversion), sent least significant byte first (CGM Service 1.0.1, section 3.11).
enum E2ECRC {
    static func of(_ bytes: some Sequence<UInt8>) -> UInt16 {
        bytes.reduce(0xFFFF) { crc, byte in
            (0..<8).reduce(crc ^ UInt16(byte)) { crc, _ in crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0x8408 }
        }
    }

    /// - Returns: the bytes before the check sum, which are the last two of `bytes`.
    static func verified(_ bytes: [UInt8]) throws(DecodeError) -> [UInt8] {
        guard bytes.count >= 2 else { throw .truncated(field: "E2E-CRC", needed: 2, left: bytes.count) }
        let content = Array(bytes.dropLast(2))
        guard of(content) == UInt16(bytes[bytes.count - 2]) | UInt16(bytes[bytes.count - 1]) << 8 else {
            throw .checksum(field: "E2E-CRC")
        }
        return content
    }
}
