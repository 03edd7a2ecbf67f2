public import GatewayModel
public import SOSLocal

/// A signed acceptance: a person at a service has taken the call for help. Its signature holds.
///
/// It is bound to one alarm of one person of one gateway. Sent again, it says the same of the same alarm:
/// a replay is harmless, so no number and no clock is needed, and no disk is written.
public struct SignedAcceptance: Hashable, Sendable {
    public let alarm: AlarmID
    public let person: PersonID
    /// Name of the person that has taken the call, as given by that person.
    public let by: String
    /// The service that signed it.
    public let issuer: IssuerID
    /// When it was signed.
    public let issued: WallTime

    /// `typ` of the header: a token that was made for something else is no acceptance (RFC 8725 section 3.11).
    static let type = "trackme-acceptance+jwt"
    /// Bytes. Seven short members in base64url, a header of 512 bytes and a signature of 64 have some 3,000 at most.
    static let largest = 4_096
    /// Characters of `by`.
    static let names = 1...200

    /// Checks an acceptance. No clock, no I/O: one signature is verified.
    ///
    /// - Parameters:
    ///   - bytes: A compact JWS (RFC 7515 section 3.1).
    /// - person: The person in the topic, equal to the person in the claims.
    /// - issuers: The issuers with pinned keys.
    public init(
        _ bytes: [UInt8], of person: PersonID, to gateway: GatewayID, from issuers: [PinnedIssuer]
    ) throws(CommandRefusal) {
        var claims = try SignedClaims(bytes, type: Self.type, largest: Self.largest, from: issuers)
        (issuer, issued) = (claims.issuer, claims.issued)
        self.person = try claims.members.name("person")
        alarm = try claims.members.parsed("alarm", expected: "the alarm's id, a UUID") { AlarmID($0) }
        by = try claims.members.text("by", Self.names)
        try claims.members.end()
        try claims.check(for: gateway)
        guard self.person == person else {
            throw CommandRefusal(.wrongValue, "person is not the person of the topic")
        }
        guard claims.signer.mayAccept else {
            throw CommandRefusal(.notAllowed, "this issuer may not accept calls: may_accept is false")
        }
    }
}

extension IssuerSigner {
    /// Signs an acceptance, for the cloud side and for tests.
    public func accept(
        _ alarm: AlarmID, of person: PersonID, by name: String, from issuer: IssuerID, to gateway: GatewayID,
        at now: WallTime
    ) throws -> [UInt8] {
        let claims =
            #"{"alarm":"\#(alarm)","aud":"\#(gateway)","by":\#(Self.quoted(name)),"#
            + #""iat":\#(now.millisecondsSince1970 / 1_000),"iss":"\#(issuer)","person":"\#(person)"}"#
        return try sign(claims: Array(claims.utf8), as: SignedAcceptance.type)
    }
}
