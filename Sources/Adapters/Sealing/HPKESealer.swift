import Crypto
import FoundationEssentials
public import GatewayModel

/// HPKE by Swift Crypto: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, ChaCha20-Poly1305; the base mode of RFC 9180,
/// section 5.1.1. Stateless: any thread.
///
/// ChaCha20 and not AES: the processor of a Raspberry Pi 4 has no instructions for AES. Each message has a key of its
/// own, so there is no sequence to keep, and a lost message does not affect others.
public struct HPKESealer: MessageSealer {
    static let suite = HPKE.Ciphersuite.Curve25519_SHA256_ChachaPoly

    public init() {}

    public func seal(_ plain: [UInt8], to key: ThirdParty.SealingKey, info: [UInt8]) -> [UInt8]? {
        guard let key = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: key.bytes),
            !Self.isOfSmallOrder(key),
            var sender = try? HPKE.Sender(recipientKey: key, ciphersuite: Self.suite, info: Data(info)),
            let sealed = try? sender.seal(plain)
        else { return nil }
        return Array(sender.encapsulatedKey) + sealed
    }

    /// Returns whether a key is a point of small order. A private key is a multiple of 8, so with such a point every
    /// private key gives the same secret, all zero, and any listener could open the sealed data. RFC 9180, section
    /// 7.1.4, requires its refusal; Swift Crypto leaves that to the caller.
    private static func isOfSmallOrder(_ key: Curve25519.KeyAgreement.PublicKey) -> Bool {
        guard let secret = try? probe.sharedSecretFromKeyAgreement(with: key) else { return true }
        return secret.withUnsafeBytes { bytes in bytes.allSatisfy { $0 == 0 } }
    }

    /// Any private key serves, and it protects nothing.
    private static let probe = Curve25519.KeyAgreement.PrivateKey()
}
