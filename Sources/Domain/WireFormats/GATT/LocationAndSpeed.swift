/// Location and Speed, characteristic 0x2A67 (GATT Specification Supplement, "Location and Speed"; Location and
/// Navigation Service 1.0, section 3.2). Fields that do not fit one notification come in a second one, with
/// flags of its own.
public struct LocationAndSpeed: Hashable, Sendable {
    public enum PositionStatus: UInt16, Hashable, Sendable {
        case none = 0
        case ok = 1
        case estimated = 2
        case lastKnown = 3
    }

    public enum ElevationSource: UInt16, Hashable, Sendable {
        case positioningSystem = 0
        case barometer = 1
        case database = 2
        case other = 3
    }

    public struct Location: Hashable, Sendable {
        /// In 1e-7 degrees, north positive.
        public let latitude: Int32
        /// In 1e-7 degrees, east positive.
        public let longitude: Int32

        public var latitudeDegrees: Double { Double(latitude) / 1e7 }
        public var longitudeDegrees: Double { Double(longitude) / 1e7 }
    }

    /// In 0.01 m/s.
    public let speed: UInt16?
    public let speedIs3D: Bool
    /// Decimetres.
    public let totalDistance: UInt32?
    public let location: Location?
    public let positionStatus: PositionStatus
    /// Centimetres.
    public let elevation: Int32?
    public let elevationSource: ElevationSource
    /// In 0.01 degrees.
    public let heading: UInt16?
    public let headingIsFromCompass: Bool
    /// Seconds, beginning anew after 255.
    public let rollingTime: UInt8?
    public let utcTime: DateTime?

    /// Errors: `.outOfRange` for a place that is not on Earth; nothing beside it is to be trusted then.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        let flags = try reader.uint16("flags")
        // Bit 0: speed present. Bit 9: in three dimensions.
        speed = flags & 0x0001 == 0 ? nil : try reader.uint16("instantaneous speed")
        speedIs3D = flags & 0x0200 != 0
        // Bit 1: total distance present.
        totalDistance = flags & 0x0002 == 0 ? nil : try reader.uint24("total distance")
        // Bit 2: location present. Bits 7-8: how good it is.
        location = flags & 0x0004 == 0 ? nil : try Location(from: &reader)
        positionStatus = PositionStatus(rawValue: flags >> 7 & 0b11) ?? .none
        // Bit 3: elevation present. Bits 10-11: where it is from.
        elevation = flags & 0x0008 == 0 ? nil : try reader.int24("elevation")
        elevationSource = ElevationSource(rawValue: flags >> 10 & 0b11) ?? .other
        // Bit 4: heading present. Bit 12: from a compass, else from the movement.
        heading = flags & 0x0010 == 0 ? nil : try reader.uint16("heading")
        headingIsFromCompass = flags & 0x1000 != 0
        // Bit 5: rolling time present.
        rollingTime = flags & 0x0020 == 0 ? nil : try reader.uint8("rolling time")
        // Bit 6: UTC time present.
        utcTime = flags & 0x0040 == 0 ? nil : try DateTime(from: &reader)
    }

    public var metresPerSecond: Double? { speed.map { Double($0) / 100 } }
    public var totalMetres: Double? { totalDistance.map { Double($0) / 10 } }
    public var elevationMetres: Double? { elevation.map { Double($0) / 100 } }
    public var headingDegrees: Double? { heading.map { Double($0) / 100 } }
}

extension LocationAndSpeed.Location {
    init(from reader: inout ByteReader) throws(DecodeError) {
        latitude = try reader.int32("latitude")
        longitude = try reader.int32("longitude")
        guard (-900_000_000...900_000_000).contains(latitude) else { throw .outOfRange(field: "latitude") }
        guard (-1_800_000_000...1_800_000_000).contains(longitude) else {
            throw .outOfRange(field: "longitude")
        }
    }
}

/// Position Quality, characteristic 0x2A69 (GATT Specification Supplement, "Position Quality"; Location and
/// Navigation Service 1.0, section 3.3).
public struct PositionQuality: Hashable, Sendable {
    public let beaconsInSolution: UInt8?
    public let beaconsInView: UInt8?
    /// In 0.1 s.
    public let timeToFirstFix: UInt16?
    /// Estimated horizontal position error, centimetres.
    public let ehpe: UInt32?
    /// Estimated vertical position error, centimetres.
    public let evpe: UInt32?
    /// In steps of 0.2.
    public let hdop: UInt8?
    /// In steps of 0.2.
    public let vdop: UInt8?
    public let positionStatus: LocationAndSpeed.PositionStatus

    public init(from reader: inout ByteReader) throws(DecodeError) {
        let flags = try reader.uint16("flags")
        // Bits 0-6: the fields that are present.
        beaconsInSolution = flags & 0x0001 == 0 ? nil : try reader.uint8("number of beacons in solution")
        beaconsInView = flags & 0x0002 == 0 ? nil : try reader.uint8("number of beacons in view")
        timeToFirstFix = flags & 0x0004 == 0 ? nil : try reader.uint16("time to first fix")
        ehpe = flags & 0x0008 == 0 ? nil : try reader.uint32("EHPE")
        evpe = flags & 0x0010 == 0 ? nil : try reader.uint32("EVPE")
        hdop = flags & 0x0020 == 0 ? nil : try reader.uint8("HDOP")
        vdop = flags & 0x0040 == 0 ? nil : try reader.uint8("VDOP")
        // Bits 7-8: how good the position is.
        positionStatus = LocationAndSpeed.PositionStatus(rawValue: flags >> 7 & 0b11) ?? .none
    }

    public var horizontalErrorMetres: Double? { ehpe.map { Double($0) / 100 } }
    public var verticalErrorMetres: Double? { evpe.map { Double($0) / 100 } }
}
