package import ControlContract
import FoundationEssentials
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

    /// Decodes a request. Errors: the field that is missing or wrong, or the place in the JSON.
    package static func request(from line: [UInt8], limit: Int) throws(ControlError) -> ControlRequest {
        try asked(ControlRequest.self, from: line, limit: limit)
    }

    /// Decodes a request with its session. Errors as `request`.
    package static func sessionRequest(
        from line: [UInt8], limit: Int
    ) throws(ControlError) -> SessionRequest {
        try asked(SessionRequest.self, from: line, limit: limit)
    }

    private static func asked<Asked: Decodable>(
        _ type: Asked.Type, from line: [UInt8], limit: Int
    ) throws(ControlError) -> Asked {
        do {
            return try decode(type, from: line, limit: limit)
        } catch let error as ControlError {
            throw error
        } catch {
            throw ControlError(
                "this gateway does not know such a request (\(place(of: error))); is the command of another version?"
            )
        }
    }

    private static func place(of error: any Error) -> String {
        switch error {
        case let fault as JSONFault: fault.description
        case DecodingError.keyNotFound(let key, _): "\(key.stringValue): missing"
        case DecodingError.typeMismatch(let type, let context),
            DecodingError.valueNotFound(let type, let context):
            "\(context.codingPath.last?.stringValue ?? "request"): expected \(type)"
        case DecodingError.dataCorrupted(let context):
            "\(context.codingPath.last?.stringValue ?? "request"): unknown value"
        default: "no JSON"
        }
    }
}
