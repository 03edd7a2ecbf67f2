import HTTPTransfers

/// Reads a whole XML 1.0 document in UTF-8 with namespaces, and without the attacks that a stranger's document
/// can make harm with: no document type, so no entities of its own, and no processing instructions.
public struct XMLReader {
    /// CAP nests five deep.
    private static let deepest = 16

    private let bytes: [UInt8]
    private var place = 0

    public static func document(_ bytes: [UInt8]) throws(XMLMalformed) -> XMLElement {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw XMLMalformed(description: "not UTF-8")
        }
        var reader = XMLReader(bytes: bytes)
        _ = reader.skip("\u{FEFF}")
        if reader.skip("<?xml") { _ = try reader.text(upTo: "?>") }
        try reader.skipMisc()
        let root = try reader.element(in: ["xml": "http://www.w3.org/XML/1998/namespace"], depth: 1)
        try reader.skipMisc()
        guard reader.isAtEnd else { throw reader.malformed("something after the document") }
        return root
    }

    private var isAtEnd: Bool { place >= bytes.count }

    private func malformed(_ what: String) -> XMLMalformed {
        XMLMalformed(description: "\(what), at byte \(place)")
    }

    private func isNext(_ text: String) -> Bool { bytes[place...].starts(with: text.utf8) }

    private mutating func skip(_ text: String) -> Bool {
        guard isNext(text) else { return false }
        place += text.utf8.count
        return true
    }

    private mutating func skipSpace() {
        while !isAtEnd, " \t\r\n".utf8.contains(bytes[place]) { place += 1 }
    }

    /// White space and comments around the root.
    private mutating func skipMisc() throws(XMLMalformed) {
        skipSpace()
        while skip("<!--") {
            _ = try text(upTo: "-->")
            skipSpace()
        }
    }

    /// The text before `mark`, which is skipped.
    private mutating func text(upTo mark: String) throws(XMLMalformed) -> String {
        let mark = Array(mark.utf8)
        var end = place
        while end < bytes.count, !bytes[end...].starts(with: mark) { end += 1 }
        guard end < bytes.count else {
            throw malformed("'\(String(decoding: mark, as: UTF8.self))' is missing")
        }
        defer { place = end + mark.count }
        return String(decoding: bytes[place..<end], as: UTF8.self)
    }

    /// A name, its prefix included.
    private mutating func name() throws(XMLMalformed) -> String {
        let start = place
        while !isAtEnd, !" \t\r\n/>=<\"'&".utf8.contains(bytes[place]) { place += 1 }
        guard place > start else { throw malformed("a name is missing") }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private mutating func element(in scope: [String: String], depth: Int) throws(XMLMalformed) -> XMLElement {
        guard depth <= Self.deepest else { throw malformed("more than \(Self.deepest) elements deep") }
        guard skip("<") else { throw malformed("an element is missing") }
        let name = try name()
        var scope = scope
        let isEmpty = try attributes(into: &scope)
        let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let prefix = parts.count == 2 ? String(parts[0]) : ""
        guard prefix.isEmpty || scope[prefix] != nil else {
            throw malformed("prefix '\(prefix)' is not declared")
        }
        var element = XMLElement(name: String(parts[parts.count - 1]), namespace: scope[prefix] ?? "")
        if !isEmpty { try content(of: name, into: &element, scope, depth) }
        return element
    }

    /// Up to and with the `>`; only declarations of namespaces are kept.
    /// - Returns: whether the element ends here (`/>`).
    private mutating func attributes(into scope: inout [String: String]) throws(XMLMalformed) -> Bool {
        while true {
            let start = place
            skipSpace()
            if skip("/>") { return true }
            if skip(">") { return false }
            guard place > start else { throw malformed("white space before an attribute is missing") }
            let name = try name()
            skipSpace()
            guard skip("=") else { throw malformed("'=' is missing") }
            skipSpace()
            guard !isAtEnd, bytes[place] == UInt8(ascii: "\"") || bytes[place] == UInt8(ascii: "'") else {
                throw malformed("a quote is missing")
            }
            let quote = bytes[place] == UInt8(ascii: "\"") ? "\"" : "'"
            place += 1
            let value = try Self.resolved(try text(upTo: quote))
            if name == "xmlns" { scope[""] = value }
            if name.hasPrefix("xmlns:") { scope[String(name.dropFirst(6))] = value }
        }
    }

    /// Up to and with the end tag.
    private mutating func content(
        of name: String, into element: inout XMLElement, _ scope: [String: String], _ depth: Int
    ) throws(XMLMalformed) {
        while true {
            let start = place
            while !isAtEnd, bytes[place] != UInt8(ascii: "<") { place += 1 }
            element.text += try Self.resolved(String(decoding: bytes[start..<place], as: UTF8.self))
            guard !isAtEnd else { throw malformed("the end of '\(name.prefix(40))' is missing") }
            if skip("</") {
                guard try self.name() == name else {
                    throw malformed("another end than of '\(name.prefix(40))'")
                }
                skipSpace()
                guard skip(">") else { throw malformed("'>' is missing") }
                return
            } else if skip("<!--") {
                _ = try text(upTo: "-->")
            } else if skip("<![CDATA[") {
                element.text += try text(upTo: "]]>")
            } else if isNext("<!") || isNext("<?") {
                throw malformed("a declaration or an instruction, which are not taken here")
            } else {
                element.children.append(try self.element(in: scope, depth: depth + 1))
            }
        }
    }

    /// With the five entities of XML and references to characters replaced.
    private static func resolved(_ text: String) throws(XMLMalformed) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        let pieces = text.split(separator: "&", omittingEmptySubsequences: false)
        var result = String(pieces[0])
        for piece in pieces.dropFirst() {
            guard let end = piece.firstIndex(of: ";"), let scalar = scalar(named: piece[..<end]) else {
                throw XMLMalformed(description: "a reference that is not known here")
            }
            result.unicodeScalars.append(scalar)
            result += piece[piece.index(after: end)...]
        }
        return result
    }

    private static func scalar(named name: Substring) -> Unicode.Scalar? {
        let known: [Substring: Unicode.Scalar] = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]
        if let scalar = known[name] { return scalar }
        guard name.first == "#" else { return nil }
        let digits = name.dropFirst()
        let value = digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return value.flatMap(Unicode.Scalar.init).flatMap { XMLWriter.isAllowed($0) ? $0 : nil }
    }
}

/// An element of a received document.
public struct XMLElement: Hashable, Sendable {
    /// Without its prefix.
    public let name: String
    /// Empty where none is declared.
    public let namespace: String
    public internal(set) var text = ""
    public internal(set) var children: [XMLElement] = []

    /// The text of the first child of that name, without white space at its ends; nil where there is none, or
    /// nothing in it.
    public subscript(_ name: String) -> String? {
        let text = children.first { $0.name == name && $0.namespace == namespace }?.text.trimmed
        return text?.isEmpty == true ? nil : text
    }
}

/// Why bytes are not the XML that is understood here.
public struct XMLMalformed: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
}
