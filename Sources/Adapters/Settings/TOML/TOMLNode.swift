/// Where something is written: from 1, columns in code points.
struct TOMLPosition: Hashable, Comparable, Sendable {
    let line: Int
    let column: Int

    static let start = TOMLPosition(line: 1, column: 1)

    static func < (left: TOMLPosition, right: TOMLPosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// One value and where it, or the key before it, is written.
struct TOMLNode: Sendable {
    let value: TOMLValue
    let position: TOMLPosition
}

/// What TOML 1.0 can hold. Dates and times carry no value: no setting is one.
enum TOMLValue: Sendable {
    case string(String)
    case integer(Int64)
    case float(Double)
    case boolean(Bool)
    case dateOrTime
    case array([TOMLNode])
    case table(TOMLTable)
}

/// One step from a table to a table within it.
enum TOMLStep: Hashable, Sendable {
    case key(String)
    /// An element of an array of tables, from 0.
    case element(String, Int)

    var name: String {
        switch self {
        case .key(let name), .element(let name, _): name
        }
    }

    var index: Int {
        switch self {
        case .key: -1
        case .element(_, let index): index
        }
    }
}

/// The entries of one table in the order of their keys.
struct TOMLTable: Sendable {
    struct Entry: Sendable {
        let key: String
        let node: TOMLNode
    }

    var entries: [Entry] = []

    subscript(key: String) -> TOMLNode? {
        entries.first { $0.key == key }?.node
    }
}

extension TOMLValue: CustomStringConvertible {
    /// As it would be written in the file, for error messages: one line, not too long.
    var description: String {
        switch self {
        case .string(let text): TOMLValue.quoted(text)
        case .integer(let number): String(number)
        case .float(let number): String(number)
        case .boolean(let truth): String(truth)
        case .dateOrTime: "a date or time"
        case .array: "an array"
        case .table: "a section"
        }
    }

    /// Text in quotes for a line of a terminal: control characters escaped, cut after 60 characters. Not TOML: see
    /// `literal`.
    static func quoted(_ text: String) -> String {
        let kept = String(text.prefix(60))
        return kept.debugDescription + (kept.utf8.count < text.utf8.count ? "…" : "")
    }

    /// Text as a basic string of TOML 1.0, of any length.
    static func literal(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case "\u{0}"..."\u{1F}", "\u{7F}":
                "\\u" + String(repeating: "0", count: scalar.value < 16 ? 3 : 2)
                    + String(scalar.value, radix: 16)
            default: String(scalar)
            }
        }
        return "\"\(escaped.joined())\""
    }
}

extension TOMLValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral
{
    init(stringLiteral text: String) { self = .string(text) }
    init(integerLiteral number: Int64) { self = .integer(number) }
    init(floatLiteral number: Double) { self = .float(number) }
    init(booleanLiteral truth: Bool) { self = .boolean(truth) }
}
