/// A tag as it is written down: by what it is heard, or where its key lies. It holds no key, so it can be kept, copied
/// and shown.
public enum TagName: Hashable, Codable, Sendable, CustomStringConvertible {
    /// Never of an identity key.
    case heard(TagIdentity)
    /// Of a tag that changes its address: 32 hexadecimal digits in a file that only the gateway can read.
    case keyFile(CompanionFile)

    private static let keyFilePrefix = "key-file:"

    /// Errors: `TagIdentity.Flaw`, in words for whoever has written it.
    public init(_ text: String) throws(TagIdentity.Flaw) {
        guard text.hasPrefix(Self.keyFilePrefix) else {
            self = .heard(try TagIdentity(text))
            return
        }
        // Somebody may have written the key itself where its file belongs.
        guard let file = CompanionFile(String(text.dropFirst(Self.keyFilePrefix.count))), !Self.isKey(file.name)
        else { throw .keyInTheOpen }
        self = .keyFile(file)
    }

    public var description: String {
        switch self {
        case .heard(let identity): identity.description
        case .keyFile(let file): Self.keyFilePrefix + file.name
        }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do throws(TagIdentity.Flaw) {
            self = try TagName(text)
        } catch {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    private static func isKey(_ text: String) -> Bool {
        text.utf8.count == 32 && text.allSatisfy(\.isHexDigit)
    }
}
