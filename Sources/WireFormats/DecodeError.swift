/// Why received bytes cannot be read. Names no value: bytes of a wearable are personal data.
public enum DecodeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The bytes end inside a field.
    case truncated(field: String, needed: Int, left: Int)

    public var description: String {
        switch self {
        case .truncated(let field, let needed, let left):
            "\(field) needs \(needed) byte(s), \(left) left"
        }
    }
}
