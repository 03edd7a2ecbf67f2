public import GatewayModel

/// A signed status of an emergency desk: whether somebody is there to take calls. Its signature holds.
///
/// It is news of one instant. The reader compares `issued` with its own clock, and with the status before.
public struct SignedDeskStatus: Hashable, Sendable {
    public enum State: String, CaseIterable, Hashable, Sendable {
        case attended
        case unattended
    }

    /// The service that signed it.
    public let issuer: IssuerID
    public let state: State
    /// When it was signed, in whole seconds.
    public let issued: WallTime

    /// Interval at which a desk sends its status.
    public static let interval = Duration.seconds(30)

    /// `typ` of the header: a token that was made for something else is no status (RFC 8725 section 3.11).
    static let type = "trackme-desk+jwt"
    /// Bytes. A header of 512 bytes, four short claims in base64url and a signature of 64 have some 1,300 at most.
    static let largest = 2_048

    /// Checks a status. No clock, no I/O: one signature is verified.
    ///
    /// - Parameters:
    ///   - bytes: A compact JWS (RFC 7515 section 3.1).
    ///   - issuers: The issuers with pinned keys.
    public init(_ bytes: [UInt8], to gateway: GatewayID, from issuers: [PinnedIssuer]) throws(CommandRefusal) {
        var claims = try SignedClaims(bytes, type: Self.type, largest: Self.largest, from: issuers)
        (issuer, issued) = (claims.issuer, claims.issued)
        state = try claims.members.parsed("state", expected: "attended or unattended") { State(rawValue: $0) }
        try claims.members.end()
        try claims.check(for: gateway)
        guard claims.signer.hasDesk else {
            throw CommandRefusal(.notAllowed, "this issuer has no desk for this gateway: desk is false")
        }
    }
}

extension IssuerSigner {
    /// Signs a status of the desk, for the cloud side and for tests.
    public func deskStatus(
        _ state: SignedDeskStatus.State, from issuer: IssuerID, to gateway: GatewayID, at now: WallTime
    ) throws -> [UInt8] {
        let claims =
            #"{"aud":"\#(gateway)","iat":\#(now.millisecondsSince1970 / 1_000),"iss":"\#(issuer)","#
            + #""state":"\#(state.rawValue)"}"#
        return try sign(claims: Array(claims.utf8), as: SignedDeskStatus.type)
    }
}
