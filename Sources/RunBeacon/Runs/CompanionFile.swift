/// A file that lies beside the run files: a course, a start list, the key of a tag. Its name and no path, so that what
/// comes by a command cannot lead anywhere else.
public struct CompanionFile: Hashable, Codable, Sendable, CustomStringConvertible {
    /// For an error message.
    public static let form =
        "the name of a file beside the run files: 1 to 64 letters, digits and '.', '_', '-', not beginning with '.'"

    public let name: String

    /// Nil where `name` is not of `form`.
    public init?(_ name: String) {
        let bytes = name.utf8
        guard (1...64).contains(bytes.count), bytes.first != UInt8(ascii: "."), bytes.allSatisfy(Self.isAllowed)
        else { return nil }
        self.name = name
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let file = CompanionFile(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected \(Self.form)")
        }
        self = file
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }

    public var description: String { name }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
