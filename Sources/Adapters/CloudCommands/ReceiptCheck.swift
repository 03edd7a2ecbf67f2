internal import GatewayModel

/// Whether a receipt is of one gateway: what a consumer does before it believes one.
public struct ReceiptCheck: Sendable {
    private let key: PinnedKey

    /// - Parameter jwk: the gateway's public key, as `homegateway contract keys` shows it.
    public init(jwk: [UInt8]) async throws(PinnedKey.Fault) {
        key = try await PinnedKey(jwk: jwk)
    }

    /// The claims of `receipt`, JSON, once its signature holds.
    ///
    /// - Throws: why it is not believed.
    public func claims(of receipt: [UInt8]) throws(CommandRefusal) -> [UInt8] {
        let parts = receipt.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64URL.decode(parts[0]),
            let claims = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2])
        else { throw CommandRefusal(.malformed, "expected a compact JWS") }
        let expected = #"{"alg":"EdDSA","kid":"\#(key.id)","typ":"\#(GatewayIdentity.receiptType)"}"#
        guard header == Array(expected.utf8) else {
            throw CommandRefusal(.unknownKey, "expected the header \(expected)")
        }
        guard key.verifies(signature, of: Array(receipt[..<parts[1].endIndex])) else {
            throw CommandRefusal(.badSignature, "the signature is not of this key")
        }
        return claims
    }
}
