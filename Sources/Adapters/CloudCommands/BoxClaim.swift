public import GatewayModel

/// Code by which an installer adds a box to a fleet: its name and its public key, signed with that key. The
/// holder of a code had the box before them within the last hour.
public struct BoxClaim: Hashable, Sendable {
    /// Seconds from the signature.
    public static let life: Int64 = 3_600
    /// Seconds by which the clock of the box may be ahead.
    private static let leeway: Int64 = 60
    /// Bytes. A header of 512 bytes, three short claims in base64url and a signature of 64 have some 1,000 at most.
    public static let largest = 1_024
    /// `typ` of the header: a token that was made for something else is no claim (RFC 8725 section 3.11).
    static let type = "trackme-claim+jwt"

    public let gateway: GatewayID
    /// The public key as a JWK, with its thumbprint as the `kid`.
    public let jwk: String

    /// Reads a code. No I/O: one signature is verified.
    ///
    /// - Parameter code: a compact JWS (RFC 7515 section 3.1), perhaps with blanks and line breaks of a terminal.
    public init(_ code: String, at now: WallTime) async throws(CommandRefusal) {
        let bytes = code.utf8.filter { $0 > UInt8(ascii: " ") }
        guard bytes.count <= Self.largest else {
            throw CommandRefusal(.tooLarge, "\(bytes.count) bytes, expected at most \(Self.largest)")
        }
        let token = try CommandToken(bytes, types: [Self.type])
        let json: StrictJSON
        do throws(StrictJSON.Fault) {
            json = try StrictJSON(token.claims)
        } catch {
            throw CommandRefusal(.malformed, "the claims: \(error)")
        }
        var claims = try Members(json, of: "the claims")
        gateway = try claims.parsed("iss", expected: GatewayID.form) { GatewayID($0) }
        let issued = try claims.whole("iat", 0...1 << 40)
        let x = try claims.text("x", 43...43)
        try claims.end()
        guard let point = Base64URL.decode(x), let kid = Base64URL.decode(token.keyID), kid.count == 32,
            point.count == 32
        else { throw CommandRefusal(.unknownKey, "expected an Ed25519 key with its thumbprint as the kid") }
        jwk = #"{"alg":"EdDSA","crv":"Ed25519","kid":"\#(token.keyID)","kty":"OKP","use":"sig","x":"\#(x)"}"#
        guard let key = try? await PinnedKey(jwk: Array(jwk.utf8)), key.thumbprint == token.keyID else {
            throw CommandRefusal(.unknownKey, "expected an Ed25519 key with its thumbprint as the kid")
        }
        guard key.algorithm.rawValue == token.algorithm, key.verifies(token.signature, of: token.signed) else {
            throw CommandRefusal(.badSignature, "the signature is not of the key in the code")
        }
        let age = now.millisecondsSince1970 / 1_000 - issued
        guard age <= Self.life else { throw CommandRefusal(.expired, "the code was made \(age) s ago") }
        guard age >= -Self.leeway else {
            throw CommandRefusal(.issuedInFuture, "the code is of \(-age) s ahead: set the clock of the box")
        }
    }
}

extension GatewayIdentity {
    /// The code of this box.
    ///
    /// - Throws: where the library cannot sign, which it can with every key that it took.
    public func claim(at now: WallTime) throws -> String {
        let claims = #"{"iat":\#(now.millisecondsSince1970 / 1_000),"iss":"\#(gateway)","x":"\#(x)"}"#
        return String(decoding: try sign(claims: Array(claims.utf8), as: BoxClaim.type), as: UTF8.self)
    }
}
