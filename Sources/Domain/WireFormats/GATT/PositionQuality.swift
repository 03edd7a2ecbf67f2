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
        // Bits 0-6: what is present.
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
