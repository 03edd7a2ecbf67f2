import FoundationEssentials
import JSONReading

/// A line of a file whose lines are bound to each other by their hashes: its members in order, so that the same is always
/// written the same.
enum JSONLine {
    /// - Parameter value: of texts and numbers, which always encode.
    static func bytes(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { [UInt8]($0) } ?? []
    }

    /// Nil where it is no such line.
    static func read<Value: Decodable>(_ bytes: some Collection<UInt8>) -> Value? {
        try? JSONReader.decode(Value.self, from: bytes, limit: DurableFile.largestLine)
    }
}
