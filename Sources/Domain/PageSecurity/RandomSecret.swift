import Crypto
import GatewayModel

/// 256 random bits that open something to their holder. A store keeps only the hash.
public struct RandomSecret: Sendable, CustomStringConvertible {
    private static let length = 32

    let bytes: [UInt8]

    public init() {
        var generator = SystemRandomNumberGenerator()
        self.init(using: &generator)
    }

    /// - Parameter generator: cryptographically secure.
    public init(using generator: inout some RandomNumberGenerator) {
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
