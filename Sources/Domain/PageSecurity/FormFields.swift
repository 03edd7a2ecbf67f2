/// Fields of `application/x-www-form-urlencoded` (URL Standard, section 5.1), of a query or of a body. Each name once.
public struct FormFields: Hashable, Sendable {
    private static let most = 64

    public let values: [String: String]

    public static let none = FormFields(values: [:])

    private init(values: [String: String]) { self.values = values }

    /// Nil for more than 64 fields, a name that comes twice, and what `PercentCoding` cannot decode.
    public init?(_ bytes: some Sequence<UInt8>) {
        var values: [String: String] = [:]
        for pair in Array(bytes).split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard values.count < Self.most, let name = PercentCoding.decode(parts[0], plusIsSpace: true),
                let value = PercentCoding.decode(parts.count > 1 ? parts[1] : [], plusIsSpace: true),
                values.updateValue(value, forKey: name) == nil
            else { return nil }
        }
        self.values = values
    }

    public subscript(name: String) -> String? { values[name] }
}

/// Bytes behind percent signs (RFC 3986, section 2.1).
public enum PercentCoding {
    /// Nil for a broken percent sign, a NUL, and text that is not UTF-8.
    public static func decode(_ bytes: some Sequence<UInt8>, plusIsSpace: Bool) -> String? {
        var result: [UInt8] = []
        var rest = bytes.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else {
                    return nil
                }
                result.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: result.append(UInt8(ascii: " "))
            default: result.append(byte)
            }
        }
        return result.contains(0) ? nil : String(validating: result, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
