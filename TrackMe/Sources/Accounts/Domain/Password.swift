/// Password of an account, after the rules for its length. Never for a log.
public struct Password: Sendable, CustomStringConvertible {
    /// Fault of a password that somebody chooses.
    public enum Fault: Error, Hashable, Sendable {
        case tooShort, tooLong, common, likeUserName
    }

    /// NIST SP 800-63B section 3.1.1.2 asks for 15 where a password stands alone, and at least 8.
    public static let minimumLength = 12
    /// Bytes. Argon2 takes any length; the bound keeps the work of one request small.
    public static let maximumBytes = 256

    public let bytes: [UInt8]

    /// Password that somebody signs in with. No rule is checked but the bound, so that rules can change.
    public init?(entered text: String) {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty, bytes.count <= Self.maximumBytes else { return nil }
        self.bytes = bytes
    }

    /// Password for a new account.
    public init(chosen text: String, for user: UserName) throws(Fault) {
        guard text.count >= Self.minimumLength else { throw .tooShort }
        guard text.utf8.count <= Self.maximumBytes else { throw .tooLong }
        let folded = text.lowercased()
        guard Set(folded).count >= 5, !Self.common.contains(where: { folded.hasPrefix($0) }) else {
            throw .common
        }
        guard !folded.contains(user.text) else { throw .likeUserName }
        bytes = Array(text.utf8)
    }

    /// Beginnings of passwords that head every list of leaked ones and reach the minimum length by repetition.
    private static let common = [
        "password", "12345678", "qwerty", "abcdefgh", "iloveyou", "passw0rd", "letmein", "welcome",
        "administrator",
        "trackme", "homegateway",
    ]

    /// Without the password: the text may reach a log.
    public var description: String { "a password" }
}
