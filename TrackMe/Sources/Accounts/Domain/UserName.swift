/// Unique name of an account: 3 to 32 of `a`-`z`, `0`-`9`, `.`, `-` and `_`, beginning with a letter. Written in any
/// case.
public struct UserName: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    public init?(_ entered: String) {
        let text = entered.lowercased()
        guard (3...32).contains(text.utf8.count), text.utf8.count == text.count,
            let first = text.utf8.first, Self.isLetter(first),
            text.utf8.allSatisfy({ Self.isLetter($0) || (48...57).contains($0) || [45, 46, 95].contains($0) })
        else { return nil }
        self.text = text
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte) }

    public var description: String { text }
}
