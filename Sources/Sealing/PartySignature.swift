import Crypto
public import GatewayModel

/// The word of a third party, by its own key.
public enum PartySignature {
    /// Whether `signature` is Ed25519 (RFC 8032) over `statement`. False for what is no key or no signature.
    public static func isValid(
        _ signature: [UInt8], over statement: [UInt8], by key: ThirdParty.SigningKey
    ) -> Bool {
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: key.bytes) else { return false }
        return key.isValidSignature(signature, for: statement)
    }
}
