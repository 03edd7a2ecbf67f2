import GatewayModel
import JSONReading

/// Reads a payload as `Decodable`, with a bound and with errors that repeat no value.
enum WirePayload {
    /// Bytes. The session accepts no larger packet.
    static let limit = 65_536

    static func read<Value: Decodable>(
        _ type: Value.Type = Value.self, from payload: [UInt8], names: JSONReader.Names = .snakeCase
    ) throws(ContractFault) -> Value {
        do {
            return try JSONReader.decode(type, from: payload, limit: limit, names: names)
        } catch let fault as JSONFault {
            throw .unsound("\(fault)")
        } catch DecodingError.keyNotFound(let key, _) {
            throw .form("the member '\(key.stringValue)' is missing")
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context)
        {
            throw .form("the member '\(context.codingPath.last?.stringValue ?? "")' has another form")
        } catch {
            throw .form("it cannot be decoded")
        }
    }
}

/// Time of the contract: RFC 3339 with an offset.
struct WireTime: Decodable {
    let wall: WallTime

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let wall = WallTime(rfc3339: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "expected \(WallTime.rfc3339Form)")
        }
        self.wall = wall
    }
}

/// A finite number; JSON has texts of numbers that no `Double` holds.
struct WireNumber: Decodable {
    let value: Double

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        value = try container.decode(Double.self)
        guard value.isFinite else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected a finite number")
        }
    }
}

/// One line of text for people, of 1 to 500 characters.
struct WireText: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        text = try container.decode(String.self)
        guard Self.holds(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "expected one line of text of 1 to 500 characters")
        }
    }

    static func holds(_ text: String) -> Bool { PlainText.holds(text, 1...500) }
}

/// Optional part of a message that must not be lost with a part of it: nil for a part of another form.
struct Lenient<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws {
        value = try? Value(from: decoder)
    }
}

extension KeyedDecodingContainer {
    /// The part, if it is there in the known form.
    func part<Value: Decodable>(_ key: Key) -> Value? {
        (try? decodeIfPresent(Lenient<Value>.self, forKey: key))?.value
    }

    /// The text of a member, as `read` understands it; nil where it is absent or null.
    ///
    /// The same check as by a `Decodable` type of its own, in half its time.
    func text<Value>(_ key: Key, _ read: (String) -> Value?) throws -> Value? {
        guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
        guard let value = read(text) else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "another form")
        }
        return value
    }

    /// As `WireText`.
    func line(_ key: Key) throws -> String? {
        try text(key) { WireText.holds($0) ? $0 : nil }
    }

    /// As `WireNumber`.
    func number(_ key: Key) throws -> Double? {
        guard let number = try decodeIfPresent(Double.self, forKey: key) else { return nil }
        guard number.isFinite else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self, debugDescription: "expected a finite number")
        }
        return number
    }
}
