/// Reference Time Information, characteristic 0x2A14 (GATT Specification Supplement, "Reference Time Information",
/// "Time Source", "Time Accuracy").
public struct ReferenceTimeInformation: Hashable, Sendable {
    /// Time Source, characteristic 0x2A13. 0 is "unknown" there.
    public enum Source: UInt8, Hashable, Sendable {
        case networkTimeProtocol = 1
        case gnss = 2
        case radioTimeSignal = 3
        case manual = 4
        case atomicClock = 5
        case cellularNetwork = 6
        case notSynchronized = 7
    }

    /// Time Accuracy, characteristic 0x2A12.
    public enum Accuracy: Hashable, Sendable {
        case within(milliseconds: UInt16)
        /// Worse than 253 steps of 125 ms.
        case outOfRange
        case unknown
    }

    /// Nil: unknown.
    public let source: OpenCode<Source>?
    public let accuracy: Accuracy
    /// Since the reference was last heard. 255: 255 or more.
    public let daysSinceUpdate: UInt8
    /// Beyond the days; 255 where the days are 255.
    public let hoursSinceUpdate: UInt8

    public init(from reader: inout ByteReader) throws(DecodeError) {
        let source = try reader.uint8("time source")
        self.source = source == 0 ? nil : OpenCode(source)
        let accuracy = try reader.uint8("time accuracy")
        self.accuracy =
            switch accuracy {
            case 255: .unknown
            case 254: .outOfRange
            default: .within(milliseconds: UInt16(accuracy) * 125)
            }
        daysSinceUpdate = try reader.uint8("days since update")
        hoursSinceUpdate = try reader.uint8("hours since update")
    }
}
