/// The checksum in the last line of `devices.toml`, which the commands that change the file write: a file that was cut
/// behind a whole entry is TOML, and a wearable less.
public enum DevicesSeal: Hashable, Sendable {
    case whole
    /// A file of an earlier version, or one that was written by hand or cut.
    case absent
    /// The file was changed by something else than a command.
    case broken

    private static let label = "# Checksum: "

    public init(of bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        let content = Self.content(of: text)
        self = content == text ? .absent : Self.seal(content) == text ? .whole : .broken
    }

    static func seal(_ content: String) -> String {
        content + (content.isEmpty || content.hasSuffix("\n") ? "" : "\n") + label + sum(content) + "\n"
    }

    /// The text without its last line, where that is a checksum.
    static func content(of text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let place = lines.lastIndex(where: { !$0.isEmpty }), lines[place].hasPrefix(label) else {
            return text
        }
        return lines[..<place].map { $0 + "\n" }.joined()
    }

    /// FNV-1a of 64 bits (<http://www.isthe.com/chongo/tech/comp/fnv/>).
    private static func sum(_ content: String) -> String {
        let hash = content.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}
