/// A short name an installer chooses and that appears in topics: one path level, readable, stable.
///
/// 1 to 32 characters out of `a-z`, `0-9` and `-`, beginning with a letter or a digit. The alphabet
/// leaves out the characters with a meaning in MQTT (`/`, `+`, `#`) and those that a shell would quote.
public protocol Name: Hashable, Codable, Sendable, CustomStringConvertible {
    var text: String { get }
    init(checked: String)
}

extension Name {
    /// Description of the alphabet, for an error message.
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

/// A party that may be shown a person's data besides the person: a carer, a service, a study.
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

/// Issuer of signed commands to this gateway: the cloud, an operator, a person's phone.
public struct IssuerID: Name {
    public let text: String
    public init(checked text: String) { self.text = text }
}

/// A run, as its topics name it.
public struct RunID: Name {
    public let text: String
    public init(checked text: String) { self.text = text }
}

/// A timing point, as its passings name it.
public struct CheckpointID: Name {
    public let text: String
    public init(checked text: String) { self.text = text }
}

/// Those of a run who start together.
public struct WaveID: Name {
    public let text: String
    public init(checked text: String) { self.text = text }
}

/// The number on a runner's chest: 1 to 99,999.
public struct Bib: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    public static let range = 1...99_999
    public let number: Int

    /// Nil for what is not in `range`.
    public init?(_ number: Int) {
        guard Self.range.contains(number) else { return nil }
        self.number = number
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let bib = Bib(try container.decode(Int.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "expected a bib, \(Self.range.lowerBound) to \(Self.range.upperBound)")
        }
        self = bib
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }

    public var description: String { "\(number)" }

    public static func < (left: Bib, right: Bib) -> Bool { left.number < right.number }
}
