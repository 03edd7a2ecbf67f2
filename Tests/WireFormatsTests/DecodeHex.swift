@testable import WireFormats

/// Decodes bytes as people write them: pairs of digits with blanks between.
func decodeHex<Value>(
    _ hex: String, _ decode: (inout ByteReader) throws(DecodeError) -> Value
) throws(DecodeError) -> Value {
    var reader = ByteReader([UInt8](hex: hex))
    return try decode(&reader)
}
