/// RSC Measurement, characteristic 0x2A53 (GATT Specification Supplement, "RSC Measurement"; Running Speed and
/// Cadence Service 1.0, section 3.1).
public struct RSCMeasurement: Hashable, Sendable {
    /// In 1/256 m/s.
    public let speed: UInt16
    /// Per minute.
    public let cadence: UInt8
    /// Centimetres.
    public let strideLength: UInt16?
    /// Decimetres.
    public let totalDistance: UInt32?
    /// Else walking.
    public let isRunning: Bool

    public init(from reader: inout ByteReader) throws(DecodeError) {
        let flags = try reader.uint8("flags")
        // Bit 2: running.
        isRunning = flags & 0x04 != 0
        speed = try reader.uint16("instantaneous speed")
        cadence = try reader.uint8("instantaneous cadence")
        // Bit 0: stride length present.
        strideLength = flags & 0x01 == 0 ? nil : try reader.uint16("instantaneous stride length")
        // Bit 1: total distance present.
        totalDistance = flags & 0x02 == 0 ? nil : try reader.uint32("total distance")
    }

    public var metresPerSecond: Double { Double(speed) / 256 }
    public var strideMetres: Double? { strideLength.map { Double($0) / 100 } }
    public var totalMetres: Double? { totalDistance.map { Double($0) / 10 } }
}
