/// A short name an installer chooses and that appears in topics: one path level, readable, stable.
///
/// 1 to 32 characters out of `a-z`, `0-9` and `-`, beginning with a letter or a digit. The alphabet
/// leaves out what MQTT gives a meaning (`/`, `+`, `#`) and what a shell would quote.
public protocol Name: Hashable, Codable, Sendable, CustomStringConvertible {
    var text: String { get }
    init(checked: String)
}

extension Name {
    /// What the alphabet allows, in words for an error message.
    public static var form: String {
        "1 to 32 characters out of a-z, 0-9 and '-', beginning with a letter or a digit"
    }

    /// Nil where `text` is not of `form`.
    public init?(_ text: String) {
        let bytes = text.utf8
        func isLetterOrDigit(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        guard let first = bytes.first, bytes.count <= 32, isLetterOrDigit(first),
            bytes.allSatisfy({ isLetterOrDigit($0) || $0 == UInt8(ascii: "-") })
        else { return nil }
        self.init(checked: text)
    }

    public var description: String { text }

    /// As a single text, held to `form` like every other.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let name = Self(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected \(Self.form)")
        }
        self = name
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// This box, as the broker and the cloud know it.
public struct GatewayID: Name {
    public let text: String
    public init(checked text: String) { self.text = text }
}

/// A person of the house.
public struct PersonID: Name {
    public let text: String
    public init(checked text: String) { self.text = text }
}

/// A wearable as the settings name it; its radio address is a `DeviceAddress`.
public struct DeviceID: Name {
    public let text: String
    public init(checked text: String) { self.text = text }
}

/// Whoever may be shown a person's data besides the person: a carer, a service, a study.
public struct PartyID: Name {
    public let text: String
    public init(checked text: String) { self.text = text }
}

/// A third party's question for a person's data: chosen by the cloud, unique in this house.
public struct RequestID: Name {
    public let text: String
    public init(checked text: String) { self.text = text }
}

/// A way out of the house for a call for help: `mqtt`, later `sms` and others.
public struct ChannelID: Name {
    public let text: String
    public init(checked text: String) { self.text = text }
}

/// Who may sign commands to this gateway: the cloud, an operator, a person's phone.
public struct IssuerID: Name {
    public let text: String
    public init(checked text: String) { self.text = text }
}
