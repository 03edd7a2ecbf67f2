import Markup

/// `<mrs>`: answer of the centre to one message.
public struct SCAIPResponse: Hashable, Sendable {
    /// `snu`.
    public enum Status: Hashable, Sendable {
        case ok, tooLong, invalidFormat, wrongContent, hold, notTreated, busy, mandatoryTagMissing
        case other(Int)

        public init(_ number: Int) {
            self =
                switch number {
                case 0: .ok
                case 1: .tooLong
                case 2: .invalidFormat
                case 3: .wrongContent
                case 4: .hold
                case 5: .notTreated
                case 6: .busy
                case 7: .mandatoryTagMissing
                default: .other(number)
                }
        }

        public var number: Int {
            switch self {
            case .ok: 0
            case .tooLong: 1
            case .invalidFormat: 2
            case .wrongContent: 3
            case .hold: 4
            case .notTreated: 5
            case .busy: 6
            case .mandatoryTagMissing: 7
            case .other(let number): number
            }
        }

        /// The observation and, where trying again is of no use, the remedy.
        var reason: String {
            switch self {
            case .ok: "ok"
            case .tooLong: "the message is too long for it; ask the centre what it takes"
            case .invalidFormat:
                "invalid format; the centre may speak another version of SCAIP: ask it which"
            case .wrongContent:
                "wrong content; ask the centre whether it knows this controller id and its device types"
            case .hold: "on hold; it is tried again"
            case .notTreated: "not treated; it is tried again"
            case .busy: "busy; it is tried again"
            case .mandatoryTagMissing: "a field is missing that this centre requires; ask it which"
            case .other(let number): "status \(number), which SCAIP does not name; ask the centre"
            }
        }
    }

    public let reference: SCAIPReference
    public let status: Status
    /// `ste`, as the centre wrote it.
    public let text: String?
    /// `hbi`, 0 to 4: how often it wants a heartbeat. Which number stands for how long, the sources read
    /// do not say.
    public let heartbeatStep: Int?
}

/// Reads `<mrs>`, or `<scaip>` as one product calls the same, with expat (`MarkupReader`).
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
        let fields = try fields(of: bytes)
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

    private static func fields(of bytes: [UInt8]) throws(Failure) -> [String: String] {
        let collector = Collector()
        do {
            try MarkupReader.read(bytes, with: collector)
            return collector.fields
        } catch let failure as Failure {
            throw failure
        } catch MarkupError.documentType {
            throw .documentType
        } catch MarkupError.tooDeep {
            throw .nested
        } catch MarkupError.notXML(let reason, _) {
            throw .notXML(reason)
        } catch {
            throw .notXML("\(error)")
        }
    }

    private static func number(_ text: String, digits: Int) -> Int? {
        guard (1...digits).contains(text.utf8.count),
            text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
        else { return nil }
        return Int(text)
    }
}

/// The fields of one document.
private final class Collector: MarkupHandler {
    private var depth = 0
    private var field: String?
    private var text: [UInt8] = []
    private(set) var fields: [String: String] = [:]

    func start(_ name: String, attributes: [String: String], line: Int) throws {
        depth += 1
        switch depth {
        case 1:
            guard name == "mrs" || name == "scaip" else { throw SCAIPResponseReader.Failure.otherRoot(name) }
        case 2:
            guard fields[name] == nil else { throw SCAIPResponseReader.Failure.doubled(name) }
            field = name
            text = []
        default: throw SCAIPResponseReader.Failure.nested
        }
    }

    func end(_ name: String, line: Int) {
        depth -= 1
        guard depth == 1, let field else { return }
        let words = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        fields[field] = words.joined(separator: " ")
        self.field = nil
    }

    func text(_ bytes: UnsafeRawBufferPointer) {
        if field != nil { text += bytes }
    }
}
