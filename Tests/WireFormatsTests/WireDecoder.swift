import WireFormats

/// One decoder as the tests and the fuzzer drive it. Its name is that of its type, and of its corpus.
struct WireDecoder: Sendable, CustomStringConvertible {
    let name: String
    /// Takes any length: a prefix of a whole value is a whole value too.
    let takesAll: Bool
    private let run: @Sendable ([UInt8]) throws(DecodeError) -> AnyHashable

    var description: String { name }

    /// - Parameter check: derives all that the value can derive; traps where a law of the type is broken.
    init<Value: Hashable & Sendable>(
        _ name: String, takesAll: Bool = false,
        _ decode: @escaping @Sendable (inout ByteReader) throws(DecodeError) -> Value,
        check: @escaping @Sendable (Value) -> Void = { _ in }
    ) {
        self.name = name
        self.takesAll = takesAll
        run = { bytes throws(DecodeError) in
            var reader = ByteReader(bytes)
            let value = try decode(&reader)
            check(value)
            return AnyHashable(value)
        }
    }

    func decode(_ bytes: [UInt8]) throws(DecodeError) -> AnyHashable { try run(bytes) }

    static let all = gatt + advertising

    /// What a value derives lazily is computed, and thrown away.
    static func derive<each Value>(_ values: repeat each Value) {}
}

/// Decodes bytes as people write them: pairs of digits with blanks between.
func decodeHex<Value>(
    _ hex: String, _ decode: (inout ByteReader) throws(DecodeError) -> Value
) throws(DecodeError) -> Value {
    var reader = ByteReader([UInt8](hex: hex))
    return try decode(&reader)
}
