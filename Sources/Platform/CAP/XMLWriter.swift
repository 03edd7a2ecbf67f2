/// Writes elements with text; escapes all that XML 1.0 does not let stand.
public struct XMLWriter {
    public private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    private var depth = 0

    public init() {}

    /// An element with text.
    public mutating func element(_ name: StaticString, _ content: String) {
        indent()
        text += "<\(name)>\(Self.escape(content))</\(name)>\n"
    }

    /// An element that is there only with a text.
    public mutating func element(_ name: StaticString, _ content: String?) {
        if let content { element(name, content) }
    }

    /// An element with elements in it.
    public mutating func element(
        _ name: StaticString, attributes: StaticString = "", _ content: (inout XMLWriter) -> Void
    ) {
        indent()
        text += "<\(name)\(attributes)>\n"
        depth += 1
        content(&self)
        depth -= 1
        indent()
        text += "</\(name)>\n"
    }

    private mutating func indent() {
        text += String(repeating: "  ", count: depth)
    }

    /// Character data. `>` too, so that no `]]>` can stand; a carriage return as a reference, else it is read
    /// as a line feed; and U+FFFD for each character that XML forbids even as a reference.
    public static func escape(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            case "\r": escaped.append(contentsOf: "&#13;".unicodeScalars)
            default: escaped.append(isAllowed(scalar) ? scalar : "\u{FFFD}")
            }
        }
        return String(escaped)
    }

    /// XML 1.0 section 2.2, production 2; surrogates are no scalars.
    public static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x9, 0xA, 0xD, 0x20...0xFFFD, 0x1_0000...0x10_FFFF: true
        default: false
        }
    }
}
