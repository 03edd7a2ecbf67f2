import FoundationEssentials
import Hub
import JSONReading

/// How the control socket writes a value: one JSON object a line, keys in snake case.
package enum ControlJSON {
    package static func line(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return [UInt8](try encoder.encode(value))
    }

    /// - Parameter limit: in bytes. An answer may hold a year of history; a request is short.
    package static func decode<Value: Decodable>(
        _ type: Value.Type, from line: [UInt8], limit: Int = 64 << 20
    ) throws -> Value {
        try JSONReader.decode(type, from: line, limit: limit, names: .snakeCase)
    }
}
