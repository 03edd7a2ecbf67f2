internal import Crypto
internal import FoundationEssentials
public import GatewayModel

/// The gateway's own key: by it the cloud knows that a receipt is of this box and was not changed.
public struct GatewayIdentity: Sendable {
    /// `typ` of a receipt.
    public static let receiptType = "trackme-receipt+jwt"
    /// Bytes of the seed that is kept (RFC 8032 section 5.1.5).
    public static let seedLength = 32

    public let gateway: GatewayID
    private let key: Curve25519.Signing.PrivateKey

    /// - Returns: nil unless `seed` has 32 bytes.
    public init?(gateway: GatewayID, seed: [UInt8]) {
        guard seed.count == Self.seedLength,
            let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed)
        else { return nil }
        (self.gateway, self.key) = (gateway, key)
    }

    /// A new one.
    public init(makingOneFor gateway: GatewayID) {
        (self.gateway, key) = (gateway, Curve25519.Signing.PrivateKey())
    }

    var x: String { Base64URL.encode(key.publicKey.rawRepresentation) }

    /// RFC 7638; the `kid` of receipts.
    public var thumbprint: String {
        Base64URL.encode(Array(SHA256.hash(data: Array(#"{"crv":"Ed25519","kty":"OKP","x":"\#(x)"}"#.utf8))))
    }

    /// The public part as a JWK, to be given to the cloud.
    public var publicJWK: String {
        #"{"alg":"EdDSA","crv":"Ed25519","kid":"\#(thumbprint)","kty":"OKP","use":"sig","x":"\#(x)"}"#
    }

    /// A compact JWS over `claims`.
    ///
    /// - Throws: where the library cannot sign, which it can with every key that it took.
    public func sign(claims: [UInt8]) throws -> [UInt8] { try sign(claims: claims, as: Self.receiptType) }

    func sign(claims: [UInt8], as type: String) throws -> [UInt8] {
        let header = #"{"alg":"EdDSA","kid":"\#(thumbprint)","typ":"\#(type)"}"#
        let signed = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(claims)
        let signature = try key.signature(for: Array(signed.utf8))
        return Array("\(signed).\(Base64URL.encode(signature))".utf8)
    }
}
