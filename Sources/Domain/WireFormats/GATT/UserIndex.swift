/// User ID of a device that several people share. Absent is not the same as unknown: a device without the field
/// has one user, a device that says "unknown" has several, and nobody may be guessed.
public enum UserIndex: Hashable, Sendable {
    case user(UInt8)
    case unknown

    public init(from reader: inout ByteReader) throws(DecodeError) {
        let raw = try reader.uint8("user ID")
        // The supplement's "unknown user".
        self = raw == 0xFF ? .unknown : .user(raw)
    }
}
