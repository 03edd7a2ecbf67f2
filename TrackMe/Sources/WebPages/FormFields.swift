/// Fields of `application/x-www-form-urlencoded`, of a query or of a body. Each name once.
public struct FormFields: Hashable, Sendable {
    static let most = 32

    private let fields: [String: String]

    public static let none = FormFields(fields: [:])

    private init(fields: [String: String]) { self.fields = fields }

    /// Nil for a broken escape, bytes that are no UTF-8, a name that comes twice, or too many fields.
    public init?(_ bytes: some Sequence<UInt8>) {
        var fields: [String: String] = [:]
        for pair in Array(bytes).split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard fields.count < Self.most, let name = PercentCoding.decode(parts[0], plusIsSpace: true),
                let value = PercentCoding.decode(parts.count > 1 ? parts[1] : [], plusIsSpace: true),
                fields.updateValue(value, forKey: name) == nil
            else { return nil }
        }
        self.fields = fields
    }

    public subscript(name: String) -> String? { fields[name] }
}

enum PercentCoding {
    /// Nil for a broken escape, and for bytes that are no UTF-8.
    static func decode(_ bytes: some Collection<UInt8>, plusIsSpace: Bool) -> String? {
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
        return String(validating: result, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(UnicodeScalar(byte)).isASCII
            ? Character(UnicodeScalar(byte)).hexDigitValue.map(UInt8.init) : nil
    }
}
