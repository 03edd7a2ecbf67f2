import CExpat

/// Reads `<mrs>`, or `<scaip>` as one product calls the same, with expat.
///
/// Tolerant where implementations differ: numbers with or without leading zeros, white space, prefixes,
/// fields nobody knows. Strict where it could be fooled: no document type, so no entities of its own; 8 KiB;
/// one level of fields, each once.
enum SCAIPResponseReader {
    enum Failure: Error, Hashable {
        case tooLong(bytes: Int)
        /// In expat's words.
        case notXML(String)
        case documentType
        case otherRoot(String)
        case nested
        case doubled(String)
        /// `ref` or `snu` is missing or is no such thing.
        case unusable(field: String, seen: String?)

        var words: String {
            switch self {
            case .tooLong(let bytes): "\(bytes) bytes; an <mrs> has no more than \(SCAIPResponseReader.limit)"
            case .notXML(let error): "no XML: \(error)"
            case .documentType: "it declares a document type; an <mrs> has none"
            case .otherRoot(let name): "the root is <\(name.prefix(16))>; expected <mrs>"
            case .nested: "fields within fields; an <mrs> has one level"
            case .doubled(let field): "<\(field)> comes twice"
            case .unusable(let field, let seen):
                "<\(field)> is \(seen.map { "'\($0.prefix(24))'" } ?? "missing")"
            }
        }
    }

    /// The longest that the schema allows is below 2 KiB.
    static let limit = 8 * 1024

    static func read(_ bytes: [UInt8]) throws(Failure) -> SCAIPResponse {
        guard bytes.count <= limit else { throw .tooLong(bytes: bytes.count) }
        let fields = try Collector.fields(of: bytes)
        guard let reference = fields["ref"].flatMap({ SCAIPReference($0) }) else {
            throw .unusable(field: "ref", seen: fields["ref"])
        }
        // One to five digits in the schema.
        guard let status = fields["snu"].flatMap({ number($0, digits: 5) }) else {
            throw .unusable(field: "snu", seen: fields["snu"])
        }
        return SCAIPResponse(
            reference: reference, status: SCAIPResponse.Status(status),
            text: fields["ste"].flatMap { SCAIPText($0, limit: 128)?.description },
            heartbeatStep: fields["hbi"].flatMap { number($0, digits: 2) })
    }

    private static func number(_ text: String, digits: Int) -> Int? {
        guard (1...digits).contains(text.utf8.count),
            text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
        else { return nil }
        return Int(text)
    }
}

/// What expat tells, kept while it parses one document.
private final class Collector {
    private let parser: XML_Parser
    private var depth = 0
    private var field: String?
    private var text: [UInt8] = []
    private var fields: [String: String] = [:]
    private var failure: SCAIPResponseReader.Failure?

    /// Between a name space and a local name; no character of either.
    private static let separator = UInt8(ascii: "\n")

    static func fields(of bytes: [UInt8]) throws(SCAIPResponseReader.Failure) -> [String: String] {
        // Nil only where memory is gone.
        guard let parser = XML_ParserCreateNS(nil, XML_Char(bitPattern: separator)) else {
            throw .notXML("no memory for a parser")
        }
        defer { XML_ParserFree(parser) }
        let collector = Collector(parser)
        return try withExtendedLifetime(collector) { () throws(SCAIPResponseReader.Failure) in
            try collector.parse(bytes)
        }
    }

    private init(_ parser: XML_Parser) {
        self.parser = parser
    }

    private func parse(_ bytes: [UInt8]) throws(SCAIPResponseReader.Failure) -> [String: String] {
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(parser, elementStarts, elementEnds)
        XML_SetCharacterDataHandler(parser, charactersCome)
        XML_SetStartDoctypeDeclHandler(parser, documentTypeStarts)
        let status = bytes.withUnsafeBytes { buffer in
            XML_Parse(parser, buffer.bindMemory(to: CChar.self).baseAddress, Int32(clamping: buffer.count), 1)
        }
        if let failure { throw failure }
        guard status == XML_STATUS_OK else {
            throw .notXML(String(cString: XML_ErrorString(XML_GetErrorCode(parser))))
        }
        return fields
    }

    func start(_ name: String) {
        guard failure == nil else { return }
        depth += 1
        switch depth {
        case 1:
            if name != "mrs" && name != "scaip" { stop(.otherRoot(name)) }
        case 2:
            if fields[name] != nil { stop(.doubled(name)) }
            field = name
            text = []
        default:
            stop(.nested)
        }
    }

    func end() {
        depth -= 1
        guard depth == 1, let field else { return }
        let words = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        fields[field] = words.joined(separator: " ")
        self.field = nil
    }

    func add(_ bytes: UnsafeBufferPointer<CChar>) {
        if field != nil { text.append(contentsOf: bytes.lazy.map(UInt8.init(bitPattern:))) }
    }

    func stop(_ failure: SCAIPResponseReader.Failure) {
        guard self.failure == nil else { return }
        self.failure = failure
        XML_StopParser(parser, XML_Bool(XML_FALSE))
    }

    /// Without its name space.
    static func localName(_ name: UnsafePointer<XML_Char>?) -> String {
        guard let name else { return "" }
        let text = String(cString: name)
        return text.utf8.lastIndex(of: separator).map { String(text[text.utf8.index(after: $0)...]) } ?? text
    }
}

// Called by expat from within `parse`, on its thread.

private func collector(_ user: UnsafeMutableRawPointer?) -> Collector? {
    user.map { Unmanaged<Collector>.fromOpaque($0).takeUnretainedValue() }
}

private func elementStarts(
    user: UnsafeMutableRawPointer?, name: UnsafePointer<XML_Char>?,
    _: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
) {
    collector(user)?.start(Collector.localName(name))
}

private func elementEnds(user: UnsafeMutableRawPointer?, _: UnsafePointer<XML_Char>?) {
    collector(user)?.end()
}

private func charactersCome(user: UnsafeMutableRawPointer?, text: UnsafePointer<XML_Char>?, length: Int32) {
    collector(user)?.add(UnsafeBufferPointer(start: text, count: Int(length)))
}

private func documentTypeStarts(
    user: UnsafeMutableRawPointer?, _: UnsafePointer<XML_Char>?, _: UnsafePointer<XML_Char>?,
    _: UnsafePointer<XML_Char>?, _: Int32
) {
    collector(user)?.stop(.documentType)
}
