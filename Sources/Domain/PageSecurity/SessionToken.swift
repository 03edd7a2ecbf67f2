import Crypto
import GatewayModel

/// Secret of a browser with a session, in its cookie. The server keeps only the hash.
public struct SessionToken: Sendable, CustomStringConvertible {
    private let secret: RandomSecret

    /// Creates a random token.
    public init() { secret = RandomSecret() }

    /// Creates a random token.
    /// - Parameter generator: cryptographically secure.
    public init(using generator: inout some RandomNumberGenerator) { secret = RandomSecret(using: &generator) }

    /// Reads the value of a cookie. Nil for anything but 32 bytes in canonical base64url.
    public init?(_ text: some StringProtocol) {
        guard let secret = RandomSecret(text) else { return nil }
        self.secret = secret
    }

    /// Value of the cookie. Never for a log.
    public var cookieValue: String { secret.text }

    public var id: SessionID { SessionID(hash: secret.hash) }

    /// Value of the hidden field in every form of the session: a hash of the token under a label of its own.
    ///
    /// - Parameter site: name of the program with the pages.
    public func formToken(of site: StaticString) -> String {
        Base64URL.encode(Array(SHA256.hash(data: Array("\(site) form ".utf8) + secret.bytes)))
    }

    /// Returns whether a form came from a page of this session. Constant time.
    public func acceptsForm(_ entered: String?, of site: StaticString) -> Bool {
        guard let entered else { return false }
        return Array(formToken(of: site).utf8).isEqualInConstantTime(to: Array(entered.utf8))
    }

    /// Without the token: the text may reach a log.
    public var description: String { "a session token" }
}

/// Hash of a session's token: identifies the session in the file or database of the server.
public struct SessionID: Hashable, Sendable {
    public static let length = 32

    public let hash: [UInt8]

    public init(hash: [UInt8]) { self.hash = hash }

    /// First 8 hexadecimal digits: for lists, and to say which session of one ends.
    public var short: String {
        hash.prefix(4).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}
