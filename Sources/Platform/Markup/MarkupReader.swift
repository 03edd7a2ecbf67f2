import CExpat

/// Reader of one kind of XML document. It gets the elements in their order.
public protocol MarkupHandler: AnyObject {
    /// - Parameters:
    ///   - name: without its name space, as are the attributes' names.
    ///   - line: in the document, from 1.
    /// - Throws: an error that ends the reading.
    func start(_ name: String, attributes: [String: String], line: Int) throws
    func end(_ name: String, line: Int) throws
    /// UTF-8, in pieces.
    func text(_ bytes: UnsafeRawBufferPointer)
}

/// Why something is no document that anybody here reads.
public enum MarkupError: Error, Hashable, Sendable, CustomStringConvertible {
    /// In expat's words.
    case notXML(String, line: Int)
    /// It declares a document type, and with it could declare entities that unfold into gigabytes or name files.
    case documentType(line: Int)
    case tooDeep(limit: Int, line: Int)

    public var line: Int {
        switch self {
        case .notXML(_, let line), .documentType(let line), .tooDeep(_, let line): line
        }
    }

    public var description: String {
        switch self {
        case .notXML(let reason, _): "no XML: \(reason)"
        case .documentType: "it declares a document type (<!DOCTYPE …>), which is not read: remove it"
        case .tooDeep(let limit, _): "elements within elements, more than \(limit) deep"
        }
    }
}

/// XML, by expat.
public enum MarkupReader {
    /// Documents that are read here have some five levels.
    static let depthLimit = 64

    /// Reads a whole document. Blocks for as long as it takes; the size is for the caller to bound.
    /// - Throws: `MarkupError`, or an error of `handler`.
    public static func read(_ bytes: [UInt8], with handler: some MarkupHandler) throws {
        // Nil only where memory is gone.
        guard let parser = XML_ParserCreateNS(nil, XML_Char(bitPattern: Parse.separator)) else {
            throw MarkupError.notXML("no memory for a parser", line: 1)
        }
        defer { XML_ParserFree(parser) }
        let parse = Parse(parser, handler)
        try withExtendedLifetime(parse) { try parse.run(bytes) }
    }
}

/// Bridge from expat's callbacks to the handler while it parses one document.
private final class Parse {
    /// Between a name space and a local name; no character of either.
    static let separator = UInt8(ascii: "\n")

    private let parser: XML_Parser
    private let handler: any MarkupHandler
    private var depth = 0
    private var failure: (any Error)?

    init(_ parser: XML_Parser, _ handler: any MarkupHandler) {
        (self.parser, self.handler) = (parser, handler)
    }

    func run(_ bytes: [UInt8]) throws {
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(parser, elementStarts, elementEnds)
        XML_SetCharacterDataHandler(parser, charactersCome)
        XML_SetStartDoctypeDeclHandler(parser, documentTypeStarts)
        let status = bytes.withUnsafeBytes { buffer in
            XML_Parse(parser, buffer.bindMemory(to: CChar.self).baseAddress, Int32(clamping: buffer.count), 1)
        }
        if let failure { throw failure }
        guard status == XML_STATUS_OK else {
            throw MarkupError.notXML(String(cString: XML_ErrorString(XML_GetErrorCode(parser))), line: line)
        }
    }

    var line: Int { Int(XML_GetCurrentLineNumber(parser)) }

    func start(_ name: String, _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?) {
        depth += 1
        guard depth <= MarkupReader.depthLimit else {
            return stop(MarkupError.tooDeep(limit: MarkupReader.depthLimit, line: line))
        }
        attempt { try handler.start(name, attributes: Self.pairs(attributes), line: line) }
    }

    func end(_ name: String) {
        depth -= 1
        attempt { try handler.end(name, line: line) }
    }

    func add(_ bytes: UnsafeRawBufferPointer) {
        if failure == nil { handler.text(bytes) }
    }

    func stop(_ error: any Error) {
        guard failure == nil else { return }
        failure = error
        XML_StopParser(parser, XML_Bool(XML_FALSE))
    }

    private func attempt(_ step: () throws -> Void) {
        guard failure == nil else { return }
        do { try step() } catch { stop(error) }
    }

    private static func pairs(
        _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
    ) -> [String: String] {
        guard var next = attributes else { return [:] }
        var pairs: [String: String] = [:]
        while let name = next.pointee, let value = next.advanced(by: 1).pointee {
            pairs[localName(name)] = String(cString: value)
            next = next.advanced(by: 2)
        }
        return pairs
    }

    /// Without its name space.
    static func localName(_ name: UnsafePointer<XML_Char>?) -> String {
        guard let name else { return "" }
        let text = String(cString: name)
        return text.utf8.lastIndex(of: separator).map { String(text[text.utf8.index(after: $0)...]) } ?? text
    }
}

// Called by expat from within `run`, on its thread.

private func parse(_ user: UnsafeMutableRawPointer?) -> Parse? {
    user.map { Unmanaged<Parse>.fromOpaque($0).takeUnretainedValue() }
}

private func elementStarts(
    user: UnsafeMutableRawPointer?, name: UnsafePointer<XML_Char>?,
    attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
) {
    parse(user)?.start(Parse.localName(name), attributes)
}

private func elementEnds(user: UnsafeMutableRawPointer?, name: UnsafePointer<XML_Char>?) {
    parse(user)?.end(Parse.localName(name))
}

private func charactersCome(user: UnsafeMutableRawPointer?, text: UnsafePointer<XML_Char>?, length: Int32) {
    parse(user)?.add(UnsafeRawBufferPointer(start: text, count: Int(length)))
}

private func documentTypeStarts(
    user: UnsafeMutableRawPointer?, _: UnsafePointer<XML_Char>?, _: UnsafePointer<XML_Char>?,
    _: UnsafePointer<XML_Char>?, _: Int32
) {
    guard let parse = parse(user) else { return }
    parse.stop(MarkupError.documentType(line: parse.line))
}
