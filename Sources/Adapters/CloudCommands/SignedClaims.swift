internal import GatewayModel

/// Claims of a message that is no command, such as an acceptance, once its signature holds. One signature is verified.
struct SignedClaims {
    /// Its key signed the claims.
    let signer: PinnedIssuer
    let issuer: IssuerID
    let audience: String
    /// Seconds since 1970, as claimed.
    let issued: WallTime
    /// The other claims. The reader takes its own, and calls `end`.
    var members: Members

    /// - Parameters:
    ///   - bytes: a compact JWS (RFC 7515 section 3.1).
    ///   - type: `typ` of the header: a token that was made for something else is refused (RFC 8725 section 3.11).
    ///   - largest: bytes.
    init(
        _ bytes: [UInt8], type: String, largest: Int, from issuers: [PinnedIssuer]
    ) throws(CommandRefusal) {
        guard bytes.count <= largest else {
            throw CommandRefusal(.tooLarge, "\(bytes.count) bytes, expected at most \(largest)")
        }
        let token = try CommandToken(bytes, types: [type])
        (_, signer) = try issuers.authenticate(token)
        let json: StrictJSON
        do throws(StrictJSON.Fault) {
            json = try StrictJSON(token.claims)
        } catch {
            throw CommandRefusal(.malformed, "the claims: \(error)")
        }
        members = try Members(json, of: "the claims")
        issuer = try members.name("iss")
        audience = try members.text("aud", 1...100)
        issued = WallTime(millisecondsSince1970: try members.whole("iat", 0...1 << 40) * 1_000)
    }

    /// Holds the claims to their signer and to the gateway, after all that is known was taken.
    func check(for gateway: GatewayID) throws(CommandRefusal) {
        guard issuer == signer.id else {
            throw CommandRefusal(.wrongIssuer, "iss is not the issuer whose key signed it")
        }
        guard audience == gateway.text else {
            throw CommandRefusal(.wrongAudience, "aud is not this gateway")
        }
    }
}
