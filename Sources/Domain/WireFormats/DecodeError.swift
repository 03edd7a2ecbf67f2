/// Why received bytes cannot be read. Names no value: bytes of a wearable are personal data.
public enum DecodeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The bytes end inside a field.
    case truncated(field: String, needed: Int, left: Int)
    /// A field is whole but is not what this format has there.
    case unexpected(field: String, expected: String)
    /// A value that the field cannot have, and that makes the rest worthless.
    case outOfRange(field: String)
    /// Text that is not UTF-8.
    case notUTF8(field: String)
    /// The sender's check sum is not that of the bytes before it.
    case checksum(field: String)
    /// No decoder reads this characteristic.
    case unknown(BluetoothUUID)

    public var description: String {
        switch self {
        case .truncated(let field, let needed, let left):
            "\(field) needs \(needed) byte(s), \(left) left"
        case .unexpected(let field, let expected):
            "\(field) is not \(expected)"
        case .outOfRange(let field):
            "\(field) is outside the range of its specification"
        case .notUTF8(let field):
            "\(field) is not UTF-8 text"
        case .checksum(let field):
            "\(field) does not match the bytes it covers"
        case .unknown(let uuid):
            "characteristic \(uuid) has no decoder"
        }
    }
}
