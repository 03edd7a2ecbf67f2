import Crypto
import GatewayModel

/// 256 random bits that open something to their holder. A store keeps only the hash.
public struct RandomSecret: Sendable, CustomStringConvertible {
    private static let length = 32

    fileprivate let bytes: [UInt8]

    /// Creates a random secret.
    public init() {
        var generator = SystemRandomNumberGenerator()
        bytes = (0..<Self.length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// Nil for anything but 32 bytes in canonical base64url.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == 43, let read = Base64URL.decode(Array(text.utf8)), read.count == Self.length
        else { return nil }
        bytes = read
    }

    /// For its holder. Never for a log.
    public var text: String { Base64URL.encode(bytes) }

    /// SHA-256. A secret has 256 bits, so a slow hash adds nothing.
    public var hash: [UInt8] { Array(SHA256.hash(data: bytes)) }

    /// Without the secret: the text may reach a log.
    public var description: String { "a secret" }
}

/// Secret of a signed-in browser, in its cookie.
public struct SessionToken: Sendable, CustomStringConvertible {
    private let secret: RandomSecret

    /// Creates a random token.
    public init() { secret = RandomSecret() }

    /// Reads the value of a cookie.
    public init?(_ text: some StringProtocol) {
        guard let secret = RandomSecret(text) else { return nil }
        self.secret = secret
    }

    /// Value of the cookie. Never for a log.
    public var cookieValue: String { secret.text }

    public var id: SessionID { SessionID(hash: secret.hash) }

    /// Value of the hidden field in every form of the session: a hash of the token under a label of its own.
    public var formToken: String {
        Base64URL.encode(Array(SHA256.hash(data: Array("trackme form ".utf8) + secret.bytes)))
    }

    /// Returns whether a form came from a page of this session. Constant time.
    public func acceptsForm(_ entered: String?) -> Bool {
        guard let entered else { return false }
        let (own, other) = (Array(formToken.utf8), Array(entered.utf8))
        return own.count == other.count && zip(own, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Without the token: the text may reach a log.
    public var description: String { "a session token" }
}

/// Hash of a session's token: identifies the session in the store.
public struct SessionID: Hashable, Sendable {
    public let hash: [UInt8]

    public init(hash: [UInt8]) { self.hash = hash }

    /// First 16 hexadecimal digits: for the list of sessions and the form that ends one.
    public var short: String {
        hash.prefix(8).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}
