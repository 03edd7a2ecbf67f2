/// Piece of an HTML document. Its text is escaped, or comes from a literal of the program: no other way makes one.
///
/// Names of radios, of runners and of parties are hostile input. As text and as values of attributes they stay text.
public struct HTML: Hashable, Sendable {
    /// Maximum number of characters of one text from outside. Longer texts end with an ellipsis.
    public static let textLength = 300
    /// Maximum number of characters of a sentence of the product with texts from outside in it. No such sentence is as long:
    /// the readers of these texts bound them.
    public static let wholeLength = 4_000

    public private(set) var source: String

    private init(source: String) { self.source = source }

    /// Nothing.
    public static let none = HTML(source: "")

    /// Markup that is a literal of the program.
    public init(literal: StaticString) { source = literal.description }

    /// Escaped text, at most `textLength` characters.
    public init(_ text: String) { source = Self.escaped(text) }

    /// Joins pieces without anything between them.
    public init(_ parts: [HTML]) { source = parts.map(\.source).joined() }

    /// An element with its content.
    public init(_ tag: Tag, _ attributes: Attribute?..., content: HTML...) {
        source = Self.opened(tag.rawValue, attributes) + content.map(\.source).joined() + "</\(tag.rawValue)>"
    }

    /// An element with text alone.
    public init(_ tag: Tag, _ attributes: Attribute?..., text: String) {
        source = Self.opened(tag.rawValue, attributes) + Self.escaped(text) + "</\(tag.rawValue)>"
    }

    /// An element with a sentence that has to be read to its end, as a question about consent: at most `wholeLength`
    /// characters.
    public init(_ tag: Tag, _ attributes: Attribute?..., whole text: String) {
        source =
            Self.opened(tag.rawValue, attributes) + Self.escaped(text, most: Self.wholeLength)
            + "</\(tag.rawValue)>"
    }

    /// An element without content.
    public init(void tag: VoidTag, _ attributes: Attribute?...) {
        source = Self.opened(tag.rawValue, attributes)
    }

    public static func + (left: HTML, right: HTML) -> HTML { HTML(source: left.source + right.source) }

    private static func opened(_ name: String, _ attributes: [Attribute?]) -> String {
        attributes.reduce("<" + name) { $0 + ($1.map { " " + $0.source } ?? "") } + ">"
    }

    /// Returns the text with the characters of markup as references, and without characters that control, hide or
    /// reverse the text beside them. Joiners belong to the spelling of some languages and stay.
    static func escaped(_ text: String, most: Int = textLength) -> String {
        var result = String.UnicodeScalarView()
        // A character may be made of many scalars: the sum has a bound as well.
        let bounded = text.unicodeScalars.prefix(most)
        for scalar in bounded {
            switch scalar {
            case "&": result.append(contentsOf: "&amp;".unicodeScalars)
            case "<": result.append(contentsOf: "&lt;".unicodeScalars)
            case ">": result.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
            case "'": result.append(contentsOf: "&#39;".unicodeScalars)
            case "`": result.append(contentsOf: "&#96;".unicodeScalars)
            case "\u{200C}", "\u{200D}": result.append(scalar)
            default:
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned,
                    .surrogate:
                    result.append(" ")
                default: result.append(scalar)
                }
            }
        }
        if text.unicodeScalars.index(
            text.unicodeScalars.startIndex, offsetBy: most + 1, limitedBy: text.unicodeScalars.endIndex)
            != nil
        {
            result.append("…")
        }
        return String(result)
    }
}

extension HTML {
    /// Elements with content. A script and a style are not among them: pages have them as files only.
    public enum Tag: String, CaseIterable, Sendable {
        case a, article, button, caption, desc, div, form, g, h1, h2, h3, label, li, nav, ol, option, p, path,
            rect
        case section, select, small, span, svg
        case table, tbody, td, text, th, thead, title, tr, ul
    }

    public enum VoidTag: String, CaseIterable, Sendable { case input }

    /// Attribute with a name from the program and an escaped value. Inline styles and handlers of events have no case.
    public struct Attribute: Hashable, Sendable {
        /// Names that take any text.
        public enum Name: String, CaseIterable, Sendable {
            case id, `class`, lang, name, value, type, method, role, scope, inputmode
            case autocomplete, maxlength, x, y, width, height, viewBox, preserveAspectRatio
            case `for`, tabindex
            case textAnchor = "text-anchor"
            case ariaCurrent = "aria-current"
            case ariaDescribedby = "aria-describedby"
            case ariaInvalid = "aria-invalid"
            case ariaLabelledby = "aria-labelledby"
            case ariaLabel = "aria-label"
            case ariaHidden = "aria-hidden"
            case dataLeft = "data-left"
            case dataPage = "data-page"
            case dataGuard = "data-guard"
            case dataLive = "data-live"
        }

        public enum Flag: String, CaseIterable, Sendable { case autofocus, checked, required, selected }

        let source: String

        public static func set(_ name: Name, _ value: String) -> Attribute {
            Attribute(source: "\(name.rawValue)=\"\(HTML.escaped(value))\"")
        }

        public static func set(_ name: Name, _ value: Int) -> Attribute { set(name, String(value)) }

        public static func flag(_ flag: Flag) -> Attribute { Attribute(source: flag.rawValue) }

        public static func href(_ place: Place) -> Attribute {
            Attribute(source: "href=\"\(HTML.escaped(place.source))\"")
        }

        /// Shape of a path. Its length is that of the data: numbers need no escape.
        public static func d(_ data: PathData) -> Attribute { Attribute(source: "d=\"\(data.source)\"") }

        /// Place of the events that replace the content of a live page.
        public static func stream(_ place: Place) -> Attribute {
            Attribute(source: "data-stream=\"\(HTML.escaped(place.source))\"")
        }

        /// Place that a page without a state goes to when there is one again.
        public static func back(_ place: Place) -> Attribute {
            Attribute(source: "data-back=\"\(HTML.escaped(place.source))\"")
        }

        /// Link that telephones a number. Everything but digits and a leading plus is left out.
        public static func telephone(_ number: String) -> Attribute {
            let digits = number.unicodeScalars.filter { ("0"..."9").contains($0) }.prefix(20)
            let plus = number.hasPrefix("+") ? "+" : ""
            return Attribute(source: "href=\"tel:\(plus)\(String(String.UnicodeScalarView(digits)))\"")
        }

        public static func formaction(_ place: Place) -> Attribute {
            Attribute(source: "formaction=\"\(HTML.escaped(place.source))\"")
        }

        public static func action(_ place: Place) -> Attribute {
            Attribute(source: "action=\"\(HTML.escaped(place.source))\"")
        }
    }

    /// Place on the same server. It begins with `/` and a literal, so that no text from outside names a scheme or a
    /// host.
    public struct Place: Hashable, Sendable, ExpressibleByStringLiteral {
        let source: String

        /// Stops the program where the literal is no path of this server.
        public init(stringLiteral literal: StaticString) {
            let text = literal.description
            precondition(text.hasPrefix("/") && !text.hasPrefix("//"), "place \(text): expected a path from /")
            source = text
        }

        private init(source: String) { self.source = source }

        /// The place one segment further down. Each byte but letters, digits, `-` and `_` is percent-encoded.
        public func appending(_ segment: String) -> Place {
            Place(source: source + (source.hasSuffix("/") ? "" : "/") + Self.encoded(segment))
        }

        /// The place with a literal at its end.
        public func adding(_ ending: StaticString) -> Place { Place(source: source + ending.description) }

        /// The path, percent-encoded, from the root of the server.
        public var text: String { source }

        /// The place with one more field in its query.
        public func with(_ field: StaticString, _ value: String) -> Place {
            Place(source: "\(source)\(source.contains("?") ? "&" : "?")\(field)=\(Self.encoded(value))")
        }

        private static func encoded(_ text: String) -> String {
            let digits = Array("0123456789ABCDEF")
            return text.utf8.prefix(HTML.textLength / 3).reduce(into: "") { result, byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    result.append(Character(UnicodeScalar(byte)))
                default:
                    result.append("%")
                    result.append(digits[Int(byte >> 4)])
                    result.append(digits[Int(byte & 15)])
                }
            }
        }
    }
}
