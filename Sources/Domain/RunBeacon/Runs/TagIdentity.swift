public import GatewayModel

/// Identity of a runner's tag in its advertisements.
public enum TagIdentity: Hashable, Sendable {
    /// A fixed address: any tag, BTHome sensors among them.
    case address(DeviceAddress)
    case iBeacon(ProximityUUID, major: UInt16, minor: UInt16)
    case eddystone(EddystoneNamespace, instance: UInt64)
    /// Manufacturer data of the company that begins with these bytes.
    case manufacturer(company: UInt16, prefix: [UInt8])
    /// The identity resolving key of a tag that changes its address: 16 bytes, most
    /// significant first. A secret: it is never logged, shown or sent.
    case identityKey([UInt8])
}

extension TagIdentity {
    /// Why a text names no tag. Shows nothing of it: it may have been a key.
    public enum Flaw: Error, Hashable, Sendable, CustomStringConvertible {
        case unknownKind
        case notAnAddress
        case notIBeacon, notEddystone, notManufacturer
        /// A key that is written where it would be copied and shown.
        case keyInTheOpen

        public var description: String {
            switch self {
            case .unknownKind:
                "expected an address (C0:FF:EE:00:00:01), ibeacon:…, eddystone:…, manufacturer:… or key-file:…"
            case .notAnAddress: "expected six octets such as C0:FF:EE:00:00:01: copy them from the tag's label"
            case .notIBeacon:
                "expected ibeacon:UUID/MAJOR/MINOR such as "
                    + "ibeacon:fda50693-a4e2-4fb1-afcf-c6eb07647825/10/4711, the numbers 0 to 65535"
            case .notEddystone:
                "expected eddystone:NAMESPACE/INSTANCE, 20 and 12 hexadecimal digits, such as "
                    + "eddystone:edd1ebeac04e5defa017/000000000017"
            case .notManufacturer:
                "expected manufacturer:COMPANY/BYTES, 4 hexadecimal digits and 1 to \(TagIdentity.longestPrefix) bytes, "
                    + "such as manufacturer:ffff/1a2b"
            case .keyInTheOpen:
                "a key is not written in a run, which is copied and shown: write its 32 hexadecimal digits into a file "
                    + "beside the run files that only the gateway can read, and name that, key-file:NAME"
            }
        }
    }

    /// Bytes that manufacturer data can begin with: an advertisement of 31 has room for no more after its length, its
    /// type and the company.
    public static let longestPrefix = 27

    /// As a run file, a start list or a command writes it; hexadecimal digits in either case. An identity key has no
    /// text: see `TagName`.
    public init(_ text: String) throws(Flaw) {
        guard let (kind, rest) = Self.split(text) else {
            guard let address = DeviceAddress(text) else {
                throw text.contains(":") ? .notAnAddress : .unknownKind
            }
            self = .address(address)
            return
        }
        let parts = rest.split(separator: "/", omittingEmptySubsequences: false)
        switch kind {
        case "ibeacon": self = try Self.iBeacon(parts)
        case "eddystone": self = try Self.eddystone(parts)
        case "manufacturer": self = try Self.manufacturer(parts)
        case "irk", "key", "identity-key": throw .keyInTheOpen
        default: throw .unknownKind
        }
    }

    /// Text that reads as this identity again; nil for a key, which nobody may read.
    public var text: String? {
        switch self {
        case .address(let address): address.description
        case .iBeacon(let uuid, let major, let minor): "ibeacon:\(uuid.text)/\(major)/\(minor)"
        case .eddystone(let namespace, let instance):
            "eddystone:\(hex(namespace.high, 16))\(hex(UInt64(namespace.low), 4))/\(hex(instance, 12))"
        case .manufacturer(let company, let prefix):
            "manufacturer:\(hex(UInt64(company), 4))/\(prefix.map { hex(UInt64($0), 2) }.joined())"
        case .identityKey: nil
        }
    }

    /// A word and a colon in front; nil for an address, which begins with two hexadecimal digits.
    private static func split(_ text: String) -> (kind: String, rest: Substring)? {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let kind = text[..<colon]
        guard kind.utf8.count > 2, kind.utf8.allSatisfy(isLetter) else { return nil }
        return (kind.lowercased(), text[text.index(after: colon)...])
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func iBeacon(_ parts: [Substring]) throws(Flaw) -> TagIdentity {
        guard parts.count == 3, let uuid = ProximityUUID(String(parts[0])), let major = decimal(parts[1]),
            let minor = decimal(parts[2])
        else { throw .notIBeacon }
        return .iBeacon(uuid, major: major, minor: minor)
    }

    private static func eddystone(_ parts: [Substring]) throws(Flaw) -> TagIdentity {
        guard parts.count == 2, parts[0].utf8.count == 20, let high = number(parts[0].prefix(16)),
            let low = number(parts[0].suffix(4)), parts[1].utf8.count == 12, let instance = number(parts[1])
        else { throw .notEddystone }
        return .eddystone(
            EddystoneNamespace(high: high, low: UInt16(truncatingIfNeeded: low)), instance: instance)
    }

    private static func manufacturer(_ parts: [Substring]) throws(Flaw) -> TagIdentity {
        guard parts.count == 2, parts[0].utf8.count == 4, let company = number(parts[0]),
            let prefix = bytes(parts[1]), (1...longestPrefix).contains(prefix.count)
        else { throw .notManufacturer }
        return .manufacturer(company: UInt16(truncatingIfNeeded: company), prefix: prefix)
    }

    private static func decimal(_ text: Substring) -> UInt16? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? UInt16(text) : nil
    }

    /// No sign, which `UInt64` would take.
    private static func number(_ digits: Substring) -> UInt64? {
        digits.utf8.allSatisfy(isHexDigit) ? UInt64(digits, radix: 16) : nil
    }

    private static func bytes(_ digits: Substring) -> [UInt8]? {
        let digits = Array(digits.utf8)
        guard digits.count.isMultiple(of: 2), digits.allSatisfy(isHexDigit) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }
}

extension TagIdentity: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// For logs and tables: its text, and nothing of a key.
    public var description: String { text ?? "a tag with an identity key" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ProximityUUID {
    /// In its 36-character form, lower case.
    fileprivate var text: String {
        let digits = hex(high, 16) + hex(low, 16)
        var rest = digits[...]
        let groups = [8, 4, 4, 4, 12].map { count in
            defer { rest = rest.dropFirst(count) }
            return String(rest.prefix(count))
        }
        return groups.joined(separator: "-")
    }
}

/// Lower case, with zeros in front up to `count` digits.
private func hex(_ number: UInt64, _ count: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
}

/// A tag as it is written down: its identity, or the place of its key. It holds no key, so it can be kept,
/// copied and shown.
public enum TagName: Hashable, Codable, Sendable, CustomStringConvertible {
    /// Never of an identity key.
    case heard(TagIdentity)
    /// Of a tag that changes its address: 32 hexadecimal digits in a file that only the gateway can read.
    case keyFile(CompanionFile)

    private static let keyFilePrefix = "key-file:"

    /// Errors: `TagIdentity.Flaw`, in words for the author.
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
