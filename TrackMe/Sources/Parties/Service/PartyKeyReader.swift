public import CloudCommands
public import GatewayModel

/// Reads the public keys that companies hand in.
public enum PartyKeyReader {
    /// Bytes of a JWK: one of Ed25519 with a long `kid` has some 250.
    public static let largest = 1_000

    /// - Throws: for anything but one public JWK of Ed25519 with a `kid`.
    public static func key(_ text: String, at now: WallTime) async throws(PinnedKey.Fault) -> PartyKey {
        guard text.utf8.count <= largest else {
            throw PinnedKey.Fault(description: "saw \(text.utf8.count) bytes, expected at most \(largest)")
        }
        let key = try await PinnedKey(jwk: Array(text.utf8))
        guard key.algorithm == .ed25519 else {
            throw PinnedKey.Fault(description: "saw a key of P-256, expected kty OKP with crv Ed25519")
        }
        return PartyKey(id: key.id, thumbprint: key.thumbprint, jwk: key.jwk, added: now)
    }
}
