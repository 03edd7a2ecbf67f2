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

    /// Decodes a request and its session. Errors: the field that is missing or wrong, or the place in the JSON.
    ///
    /// - Parameter type: the verb of a name; nil for a name that is not served.
    package static func request(
        from line: [UInt8], limit: Int, _ type: (_ verb: String) -> (any ControlVerb.Type)?
    ) throws(ControlError) -> (request: any ControlVerb, session: ControlSession?) {
        let head = try asked(ControlHead.self, from: line, limit: limit)
        guard let type = type(head.verb) else { throw unknown("verb: unknown value") }
        return (try anyRequest(type, from: line, limit: limit), head.session)
    }

    private static func anyRequest<Request: ControlVerb>(
        _ type: Request.Type, from line: [UInt8], limit: Int
    ) throws(ControlError) -> any ControlVerb {
        try asked(type, from: line, limit: limit)
    }

    private static func asked<Asked: Decodable>(
        _ type: Asked.Type, from line: [UInt8], limit: Int
    ) throws(ControlError) -> Asked {
        do {
            return try decode(type, from: line, limit: limit)
        } catch let error as ControlError {
            throw error
        } catch {
            throw unknown(place(of: error))
        }
    }

    private static func unknown(_ place: String) -> ControlError {
        ControlError(
            "this gateway does not know such a request (\(place)); is the command of another version?")
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
