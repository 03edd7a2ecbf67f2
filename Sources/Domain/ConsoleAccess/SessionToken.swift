internal import Crypto
internal import GatewayModel

/// Secret of a paired device: 256 random bits in its cookie. The console keeps only the hash.
package struct SessionToken: Sendable {
    private static let length = 32

    private let bytes: [UInt8]

    /// Creates a random token.
    /// - Parameter generator: cryptographically secure.
    package init(using generator: inout some RandomNumberGenerator) {
        bytes = (0..<Self.length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// Reads the value of a cookie. Nil for anything but 32 bytes in canonical base64url.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count == 43, let read = Base64URL.decode(Array(text.utf8)), read.count == Self.length
        else { return nil }
        bytes = read
    }

    /// Value of the cookie. Never for a log.
    package var cookieValue: String { Base64URL.encode(bytes) }

    /// SHA-256 of the token. A token has 256 bits, so a slow hash adds nothing.
    package var id: SessionID { SessionID(hash: Array(SHA256.hash(data: bytes))) }

    /// Value of the hidden field in every form of the session: a hash of the token under a label of its own.
    package var formToken: String {
        Base64URL.encode(Array(SHA256.hash(data: Array("homegateway-console form ".utf8) + bytes)))
    }

    /// Returns whether a form came from a page of this session. Constant time.
    package func acceptsForm(_ formToken: String?) -> Bool {
        guard let formToken else { return false }
        return Array(self.formToken.utf8).isEqualInConstantTime(to: Array(formToken.utf8))
    }
}

/// Hash of a session's token: identifies the session in the console's file.
package struct SessionID: Hashable, Sendable {
    static let length = 32

    let hash: [UInt8]

    init(hash: [UInt8]) { self.hash = hash }

    /// First 8 hexadecimal digits: for lists and for `revoke`.
    package var short: String {
        hash.prefix(4).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}
