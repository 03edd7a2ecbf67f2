/// Body Sensor Location, characteristic 0x2A38 (GATT Specification Supplement, "Body Sensor Location").
public enum BodySensorLocation: UInt8, Hashable, Sendable {
    case other = 0
    case chest = 1
    case wrist = 2
    case finger = 3
    case hand = 4
    case earLobe = 5
    case foot = 6

    public static func decode(from reader: inout ByteReader) throws(DecodeError) -> OpenCode<BodySensorLocation>
    {
        OpenCode(try reader.uint8("body sensor location"))
    }
}
