/// Why received bytes cannot be read. Names no value: bytes of a wearable are personal data.
public enum DecodeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The bytes end inside a field.
    case truncated(field: String, needed: Int, left: Int)
    /// A field is whole but is not what this format has there.
    case unexpected(field: String, expected: String)

    public var description: String {
        switch self {
        case .truncated(let field, let needed, let left):
            "\(field) needs \(needed) byte(s), \(left) left"
        case .unexpected(let field, let expected):
            "\(field) is not \(expected)"
        }
    }
}
