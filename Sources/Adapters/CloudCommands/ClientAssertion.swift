public import GatewayModel

/// Assertion by which a program authenticates at a token endpoint: a JWT that it signs with its own key (RFC 7523
/// section 3, OpenID Connect Core section 9: `private_key_jwt`). The cloud half reads it, no gateway does.
public struct ClientAssertion: Sendable {
    /// Seconds from now until `exp`: the IDs of the assertions have to be remembered that long.
    public static let longestLife: Int64 = 300
    /// Seconds by which the clock of the program may be ahead.
    private static let leeway: Int64 = 60
    /// `typ` as libraries write it, none, or as the successor of RFC 7523 wants it.
    private static let types: Set<String?> = [nil, "JWT", "client-authentication+jwt"]

    /// `kid` of the key that it claims to be signed with.
    public let keyID: String
    /// `iss` and `sub`, which are equal.
    public let client: String
    /// `jti`: each assertion is taken once.
    public let id: String
    public let expires: WallTime
    private let token: CommandToken
    private let audiences: [String]
    private let issuedAt, notBefore: Int64?

    /// Reads an assertion. Nothing in it is to be believed before `verify`.
    public init(_ bytes: [UInt8]) throws(CommandRefusal) {
        token = try CommandToken(bytes, types: Self.types)
        keyID = token.keyID
        let json: StrictJSON
        do throws(StrictJSON.Fault) { json = try StrictJSON(token.claims) } catch {
            throw CommandRefusal(.malformed, "the claims: \(error)")
        }
        var claims = try Members(json, of: "the claims")
        client = try claims.text("iss", 1...100)
        guard try claims.text("sub", 1...100) == client else {
            throw CommandRefusal(.wrongIssuer, "iss and sub are not equal")
        }
        id = try claims.text("jti", 1...100)
        let seconds = try claims.whole("exp", 0...1 << 40)
        expires = WallTime(millisecondsSince1970: seconds * 1_000)
        issuedAt = try claims.wholeIfAny("iat", 0...1 << 40)
        notBefore = try claims.wholeIfAny("nbf", 0...1 << 40)
        switch try claims.take("aud") {
        case .text(let audience): audiences = [audience]
        case .array(let values):
            audiences = values.compactMap { value in
                if case .text(let audience) = value { audience } else { nil }
            }
        default: throw claims.wrong("aud", expected: "a text or an array of texts")
        }
    }

    /// Checks the signature, the audience and the time. Whether the ID is new only the caller knows.
    public func verify(
        by key: PinnedKey, at own: Set<String>, now: WallTime
    ) throws(CommandRefusal) {
        guard key.id == keyID, key.algorithm.rawValue == token.algorithm else {
            throw CommandRefusal(.algorithmRefused, "alg is not the one that this key is for")
        }
        guard key.verifies(token.signature, of: token.signed) else {
            throw CommandRefusal(.badSignature, "the signature is not of this key")
        }
        guard audiences.contains(where: own.contains) else {
            throw CommandRefusal(.wrongAudience, "aud is not this token endpoint")
        }
        let now = now.millisecondsSince1970 / 1_000
        let life = expires.millisecondsSince1970 / 1_000 - now
        guard life > 0 else { throw CommandRefusal(.expired, "exp was \(-life) s ago") }
        guard life <= Self.longestLife else {
            throw CommandRefusal(
                .lifetimeTooLong, "exp is \(life) s ahead, expected at most \(Self.longestLife)")
        }
        guard max(issuedAt ?? 0, notBefore ?? 0) <= now + Self.leeway else {
            throw CommandRefusal(.issuedInFuture, "iat or nbf is ahead: set the clock")
        }
    }
}
