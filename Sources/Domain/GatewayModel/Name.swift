/// Short name that an installer chooses and that appears in topics: one path level, readable, stable.
///
/// 1 to 32 characters out of `a-z`, `0-9` and `-`, beginning with a letter or a digit. The alphabet leaves out the
/// special characters of MQTT (`/`, `+`, `#`) and of a shell.
public protocol Name: Hashable, Codable, Sendable, CustomStringConvertible {
    var text: String { get }
    init(_ checked: CheckedName)
}

/// Text of the form of a `Name`. Outside this target only `Name.init?(_:)`, which checks the form, creates one.
public struct CheckedName: Hashable, Sendable {
    public let text: String

    fileprivate init(_ text: String) { self.text = text }
}

extension Name {
    /// Form of a name, in words for an error message.
    public static var form: String {
        "1 to 32 characters out of a-z, 0-9 and '-', beginning with a letter or a digit"
    }

    /// Returns nil where `text` does not have the form.
    public init?(_ text: String) {
        let bytes = text.utf8
        func isLetterOrDigit(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        guard let first = bytes.first, bytes.count <= 32, isLetterOrDigit(first),
            bytes.allSatisfy({ isLetterOrDigit($0) || $0 == UInt8(ascii: "-") })
        else { return nil }
        self.init(CheckedName(text))
    }

    /// Creates a name without a check: for constants of this target, and for tests.
    init(checked text: String) { self.init(CheckedName(text)) }

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
    /// Wildcard for every gateway in a topic filter. No gateway has it.
    public static let every = GatewayID(checked: "+")

    public let text: String
    public init(_ name: CheckedName) { text = name.text }
}

/// A person of the house.
public struct PersonID: Name {
    /// ID of an entry of the settings without a valid ID. No person has it.
    public static let missing = PersonID(checked: "")

    public let text: String
    public init(_ name: CheckedName) { text = name.text }
}

/// A wearable as the settings name it; its radio address is a `DeviceAddress`.
public struct DeviceID: Name {
    /// The button of the box.
    public static let houseButton = DeviceID(checked: "house-button")
    /// The page of the room's screen, as the origin of a call for help.
    public static let houseScreen = DeviceID(checked: "house-screen")
    /// A page on a paired telephone or computer, as the origin of a call for help.
    public static let housePage = DeviceID(checked: "house-page")
    /// Call for help at the command line.
    public static let houseTerminal = DeviceID(checked: "house-terminal")

    /// Whether the ID stands for a screen, a page or the terminal of the house: no button was pressed there.
    public var isHouseInterface: Bool { [.houseScreen, .housePage, .houseTerminal].contains(self) }

    public let text: String
    public init(_ name: CheckedName) { text = name.text }
}

/// A party that may be shown a person's data besides the person: a carer, a service, a study.
public struct PartyID: Name {
    /// Reserved for a person's own accounts at TrackMe: its requests ask to link an account, and for no data.
    public static let accounts = PartyID(checked: "trackme-account")

    public let text: String
    public init(_ name: CheckedName) { text = name.text }
}

/// A third party's question for a person's data: chosen by the cloud, unique in this house.
public struct RequestID: Name {
    public let text: String
    public init(_ name: CheckedName) { text = name.text }
}

/// A way out of the house for a call for help: `mqtt`, later `sms` and others.
public struct ChannelID: Name {
    /// The broker, as a help channel.
    public static let mqtt = ChannelID(checked: "mqtt")
    /// The pages of the house, where a carer takes a call. Nothing is sent there.
    public static let pages = ChannelID(checked: "house-pages")

    public let text: String
    public init(_ name: CheckedName) { text = name.text }
}

/// Issuer of signed commands to this gateway: the cloud, an operator, a person's phone.
public struct IssuerID: Name {
    public let text: String
    public init(_ name: CheckedName) { text = name.text }
}

/// A run, as its topics name it.
public struct RunID: Name {
    public let text: String
    public init(_ name: CheckedName) { text = name.text }
}

/// A timing point, as its passings name it.
public struct CheckpointID: Name {
    public let text: String
    public init(_ name: CheckedName) { text = name.text }
}

/// Those of a run who start together.
public struct WaveID: Name {
    public let text: String
    public init(_ name: CheckedName) { text = name.text }
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
