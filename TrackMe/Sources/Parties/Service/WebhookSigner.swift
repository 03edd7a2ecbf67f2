import Crypto
import Foundation
public import GatewayModel

/// Signs the messages of webhooks by Ed25519, as Standard Webhooks 1.0 describes it (`v1a`).
public struct WebhookSigner: Sendable {
    private let key: Curve25519.Signing.PrivateKey

    /// Derives the key of the server. Nil unless the master key has 32 bytes.
    public init?(masterKey: [UInt8]) {
        guard masterKey.count == 32 else { return nil }
        let seed = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: masterKey), info: Array("trackme webhook key".utf8),
            outputByteCount: 32)
        guard
            let key = seed.withUnsafeBytes({ try? Curve25519.Signing.PrivateKey(rawRepresentation: Data($0)) })
        else { return nil }
        self.key = key
    }

    /// For receivers: `whpk_` and the public key as base64.
    public var publicKey: String { "whpk_" + key.publicKey.rawRepresentation.base64EncodedString() }

    /// Headers of a message.
    public func headers(
        of id: String, body: [UInt8], at now: WallTime
    ) throws -> [(name: String, value: String)] {
        let time = String(now.millisecondsSince1970 / 1_000)
        let signature = try key.signature(for: Data("\(id).\(time).".utf8) + Data(body))
        return [
            ("webhook-id", id), ("webhook-timestamp", time),
            ("webhook-signature", "v1a," + signature.base64EncodedString()),
        ]
    }
}
