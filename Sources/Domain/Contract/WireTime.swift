import FoundationEssentials
public import GatewayModel

/// Wall time as the contract writes it: RFC 3339, milliseconds, UTC as `Z`.
enum WireTime {
    static func text(_ time: WallTime) -> String {
        // A quarter of a millisecond more: the style cuts the digits of the nearest `Double`, which is often less.
        let date = Date(timeIntervalSince1970: (Double(time.millisecondsSince1970) + 0.25) / 1_000)
        return date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}

extension WallTime {
    /// RFC 3339 with milliseconds, in UTC: `2026-03-01T08:30:00.000Z`.
    public var rfc3339: String { WireTime.text(self) }
}

/// The contract's JSON: keys in snake case and sorted, slashes as they are, so that equal messages are equal bytes.
enum WireJSON {
    static func encode(_ value: some Encodable) -> [UInt8] { encode(value, .convertToSnakeCase) }

    /// FHIR names its members itself, in camel case.
    static func encodeFHIR(_ value: some Encodable) -> [UInt8] { encode(value, .useDefaultKeys) }

    private static func encode(
        _ value: some Encodable, _ keys: JSONEncoder.KeyEncodingStrategy
    ) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = keys
        // Payloads are built from finite numbers, strings and optionals of those, which always encode.
        guard let data = try? encoder.encode(value) else {
            preconditionFailure("a contract payload held a number that JSON cannot write")
        }
        return [UInt8](data)
    }
}
