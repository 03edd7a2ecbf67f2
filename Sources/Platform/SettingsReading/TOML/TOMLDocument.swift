import CToml

/// A TOML file as a tree that knows where everything is written.
package struct TOMLDocument: Sendable {
    package let root: TOMLTable

    /// Never traps, with any bytes.
    package init(parsing bytes: [UInt8]) throws(TOMLSyntaxError) {
        try TOMLDocument.checkDots(bytes)
        let builder = TOMLTreeBuilder()
        var failure = ctoml_error()
        let isSound = bytes.withUnsafeBytes { raw in
            // An empty array has no address to give; the parser wants one.
            withUnsafePointer(to: CChar(0)) { nothing in
                let start = raw.baseAddress?.assumingMemoryBound(to: CChar.self) ?? nothing
                let context = Unmanaged.passUnretained(builder).toOpaque()
                return ctoml_parse(start, raw.count, context, visit, &failure)
            }
        }
        guard isSound, let root = builder.root else { throw TOMLSyntaxError(failure) }
        self.root = root
    }

    /// Every dot outside of quotes may open one more table within the last, and the parser, the walk
    /// and their release call themselves once a level. So many dots in one line are refused before the
    /// parser sees them; together with its bound of 8 brackets that leaves some 1,100 levels, a few
    /// hundred kilobytes of stack. No settings line has a use for more than ten.
    private static let dotsInALine = 128

    private static func checkDots(_ bytes: [UInt8]) throws(TOMLSyntaxError) {
        var line = 1
        var dots = 0
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\n"):
                line += 1
                dots = 0
            case UInt8(ascii: "."):
                dots += 1
                guard dots <= dotsInALine else { throw TOMLSyntaxError(tooManyDotsIn: line) }
            default: break
            }
        }
    }
}

/// The first place where a file is not TOML.
package struct TOMLSyntaxError: Error {
    package let position: TOMLPosition
    package let message: String

    fileprivate init(tooManyDotsIn line: Int) {
        self.position = TOMLPosition(line: line, column: 1)
        self.message = "more than 128 dots in one line: shorten the line"
    }

    fileprivate init(_ failure: ctoml_error) {
        self.position = TOMLPosition(line: max(1, Int(failure.line)), column: max(1, Int(failure.column)))
        let message = withUnsafeBytes(of: failure.message) { raw in
            String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
        }
        // The parser's words for the end of a line within a text.
        self.message =
            message.hasPrefix("Error while parsing string: unescaped control characters")
            ? "a quote is not closed, or a text has a control character" : message
    }
}

/// Called by the parser on the calling thread, before `ctoml_parse` returns; the builder outlives it.
private func visit(context: UnsafeMutableRawPointer?, event: UnsafePointer<ctoml_event>?) {
    guard let context, let event = event?.pointee else { return }
    Unmanaged<TOMLTreeBuilder>.fromOpaque(context).takeUnretainedValue().take(event)
}

/// Where something is written: from 1, columns in code points.
public struct TOMLPosition: Hashable, Comparable, Sendable {
    public let line: Int
    public let column: Int

    package init(line: Int, column: Int) {
        (self.line, self.column) = (line, column)
    }

    public static let start = TOMLPosition(line: 1, column: 1)

    public static func < (left: TOMLPosition, right: TOMLPosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// One value and where it, or the key before it, is written.
public struct TOMLNode: Sendable {
    public let value: TOMLValue
    public let position: TOMLPosition

    package init(value: TOMLValue, position: TOMLPosition) {
        (self.value, self.position) = (value, position)
    }
}

/// Value of TOML 1.0. Dates and times carry no value: no setting is one.
public enum TOMLValue: Sendable {
    case string(String)
    case integer(Int64)
    case float(Double)
    case boolean(Bool)
    case dateOrTime
    case array([TOMLNode])
    case table(TOMLTable)
}

/// One step from a table to a table within it.
public enum TOMLStep: Hashable, Sendable {
    case key(String)
    /// An element of an array of tables, from 0.
    case element(String, Int)

    public var name: String {
        switch self {
        case .key(let name), .element(let name, _): name
        }
    }

    public var index: Int {
        switch self {
        case .key: -1
        case .element(_, let index): index
        }
    }
}

/// The entries of one table in the order of their keys.
public struct TOMLTable: Sendable {
    public struct Entry: Sendable {
        public let key: String
        public let node: TOMLNode

        package init(key: String, node: TOMLNode) {
            (self.key, self.node) = (key, node)
        }
    }

    public var entries: [Entry]

    package init(entries: [Entry] = []) {
        self.entries = entries
    }

    public subscript(key: String) -> TOMLNode? {
        entries.first { $0.key == key }?.node
    }
}

extension TOMLValue: CustomStringConvertible {
    /// As it would be written in the file, for error messages: one line, not too long.
    public var description: String {
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
    public static func quoted(_ text: String) -> String {
        let kept = String(text.prefix(60))
        return kept.debugDescription + (kept.utf8.count < text.utf8.count ? "…" : "")
    }

    /// Text as a basic string of TOML 1.0, of any length.
    public static func literal(_ text: String) -> String {
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
    public init(stringLiteral text: String) { self = .string(text) }
    public init(integerLiteral number: Int64) { self = .integer(number) }
    public init(floatLiteral number: Double) { self = .float(number) }
    public init(booleanLiteral truth: Bool) { self = .boolean(truth) }
}

/// Puts the parser's walk together again: a stack of the tables and arrays that are entered and not yet left.
final class TOMLTreeBuilder {
    private(set) var root: TOMLTable?
    private var open: [Container] = []

    private struct Container {
        let key: String?
        let position: TOMLPosition
        let isTable: Bool
        var entries: [TOMLTable.Entry] = []
        var elements: [TOMLNode] = []

        var value: TOMLValue {
            isTable ? .table(TOMLTable(entries: entries)) : .array(elements)
        }
    }

    func take(_ event: ctoml_event) {
        let position = TOMLPosition(line: Int(event.line), column: Int(event.column))
        switch event.kind {
        case CTOML_ENTER_TABLE, CTOML_ENTER_ARRAY:
            open.append(
                Container(key: event.name, position: position, isTable: event.kind == CTOML_ENTER_TABLE))
        case CTOML_LEAVE: leave()
        default: add(TOMLNode(value: event.value, position: position), key: event.name)
        }
    }

    private func leave() {
        guard let left = open.popLast() else { return }
        if open.isEmpty {
            root = TOMLTable(entries: left.entries)
        } else {
            add(TOMLNode(value: left.value, position: left.position), key: left.key)
        }
    }

    private func add(_ node: TOMLNode, key: String?) {
        guard let last = open.indices.last else { return }
        if let key {
            open[last].entries.append(TOMLTable.Entry(key: key, node: node))
        } else {
            open[last].elements.append(node)
        }
    }
}

extension ctoml_event {
    fileprivate var name: String? {
        key.map { copied($0, key_length) }
    }

    fileprivate var value: TOMLValue {
        switch kind {
        case CTOML_STRING: .string(text.map { copied($0, text_length) } ?? "")
        case CTOML_INTEGER: .integer(integer)
        case CTOML_FLOAT: .float(number)
        case CTOML_BOOLEAN: .boolean(truth)
        default: .dateOrTime
        }
    }
}

/// The parser has refused bytes that are not UTF-8.
private func copied(_ start: UnsafePointer<CChar>, _ length: Int) -> String {
    String(decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self)
}
