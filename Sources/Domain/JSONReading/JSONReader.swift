import FoundationEssentials

/// Reads JSON that was received, or read again from a file: the only caller of `JSONDecoder`.
///
/// Foundation's scanner traps on some malformed texts: 513 `[` end the process, because its error points one
/// byte past the end. So it sees only texts that are sound, at most `depthLimit` deep, and of a bounded size.
public enum JSONReader {
    /// Levels of objects and arrays. The deepest text of the contract, the files and the control socket has eight.
    public static let depthLimit = 32

    /// How a member's name in the text relates to the property's.
    public enum Names: Sendable {
        case asWritten
        /// `after_ms` in the text is `afterMs`.
        case snakeCase
    }

    /// - Parameters:
    ///   - limit: in bytes; a longer text is refused unread.
    ///   - mostValues: maximum number of values, objects and arrays included. The decoder keeps some 50 bytes of each.
    ///   - userInfo: for the decoding initialisers.
    /// - Throws: `JSONFault` for bytes that are no sound JSON, `DecodingError` for JSON that is no `Value`.
    public static func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, from bytes: some Collection<UInt8>, limit: Int,
        mostValues: Int = .max, names: Names = .asWritten, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws -> Value {
        guard bytes.count <= limit else { throw JSONFault.tooLarge(bytes: bytes.count, limit: limit) }
        // A byte order mark is allowed at the beginning (RFC 8259, section 8.1).
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : Array(bytes)
        try JSONShape.check(text, mostValues: mostValues)
        let decoder = JSONDecoder()
        if case .snakeCase = names { decoder.keyDecodingStrategy = .convertFromSnakeCase }
        for (key, value) in userInfo { decoder.userInfo[key] = value }
        return try decoder.decode(type, from: Data(text))
    }
}
