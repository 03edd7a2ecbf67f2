/// A text field, made to fit: no control characters, no more than so many characters of Unicode.
///
/// XML Schema counts code points (`maxLength`), so an accented letter may take two. It is cut between what
/// people see as characters, never within one.
struct SCAIPText: Hashable, Sendable, CustomStringConvertible {
    let description: String

    /// Nil where nothing is left: an empty element is not allowed (`minLength` 1).
    init?(_ text: String, limit: Int) {
        let clean = Self.clean(text)
        let cut = Self.cut(clean, limit: limit)
        guard !cut.isEmpty else { return nil }
        description = cut
    }

    /// As much of `parts`, most important first, as fits; what does not fit whole is left out, and only
    /// the first is ever cut.
    init?(parts: [String], limit: Int, separator: String = "; ") {
        let clean = parts.map(Self.clean).filter { !$0.isEmpty }
        guard let first = clean.first else { return nil }
        let text = clean.dropFirst().reduce(Self.cut(first, limit: limit)) { text, part in
            let longer = text + separator + part
            return longer.unicodeScalars.count <= limit ? longer : text
        }
        guard !text.isEmpty else { return nil }
        description = text
    }

    private static func cut(_ text: String, limit: Int) -> String {
        var count = 0
        var end = text.startIndex
        for index in text.indices {
            count += text[index].unicodeScalars.count
            guard count <= limit else { break }
            end = text.index(after: index)
        }
        return trimmed(text[..<end])
    }

    /// White space of every kind becomes one blank; what XML 1.0 cannot hold goes.
    private static func clean(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace {
                if scalars.last != " " { scalars.append(" ") }
            } else if scalar.value >= 0x20, !(0x7F...0x9F).contains(scalar.value),
                scalar.value & 0xFFFE != 0xFFFE
            {
                scalars.append(scalar)
            }
        }
        return trimmed(String(scalars)[...])
    }

    private static func trimmed(_ text: Substring) -> String {
        let tail = text.drop { $0 == " " }
        guard let last = tail.lastIndex(where: { $0 != " " }) else { return "" }
        return String(tail[...last])
    }
}
