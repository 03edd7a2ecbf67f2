public import CloudCommands
public import Crypto
public import Foundation
public import GatewayModel
import ModelSamples

/// An issuer with a key of its own, which can sign anything, right or wrong.
public struct TestIssuer: Sendable {
    public enum Key: Sendable {
        case ed25519(Curve25519.Signing.PrivateKey)
        case p256(P256.Signing.PrivateKey)
    }

    public let id: String
    public let keyID: String
    public let key: Key

    public init(id: String, keyID: String, key: Key) { (self.id, self.keyID, self.key) = (id, keyID, key) }

    public static func ed25519(_ id: String = "trackme", keyID: String = "2026-1") -> TestIssuer {
        TestIssuer(id: id, keyID: keyID, key: .ed25519(Curve25519.Signing.PrivateKey()))
    }

    public static func p256(_ id: String = "trackme", keyID: String = "2026-p") -> TestIssuer {
        TestIssuer(id: id, keyID: keyID, key: .p256(P256.Signing.PrivateKey()))
    }

    public var algorithm: String {
        switch key {
        case .ed25519: "EdDSA"
        case .p256: "ES256"
        }
    }

    public var jwk: String {
        switch key {
        case .ed25519(let key):
            let x = Base64URL.encode(key.publicKey.rawRepresentation)
            return #"{"kty":"OKP","crv":"Ed25519","kid":"\#(keyID)","x":"\#(x)"}"#
        case .p256(let key):
            let point = key.publicKey.rawRepresentation
            let (x, y) = (Base64URL.encode(point.prefix(32)), Base64URL.encode(point.suffix(32)))
            return #"{"kty":"EC","crv":"P-256","kid":"\#(keyID)","x":"\#(x)","y":"\#(y)"}"#
        }
    }

    public var rawPublicKey: Data {
        switch key {
        case .ed25519(let key): key.publicKey.rawRepresentation
        case .p256(let key): key.publicKey.rawRepresentation
        }
    }

    /// - Parameter may: by default everything but decisions for a person.
    public func pinned(
        may: Set<CommandKind> = Set(CommandKind.allCases.filter { !$0.isDecisionForPerson }),
        runs: Set<RunPattern>? = nil
    ) async throws -> PinnedIssuer {
        PinnedIssuer(
            id: IssuerID(sample: id), keys: [try await PinnedKey(jwk: Array(jwk.utf8))], may: may,
            runs: runs)
    }

    /// Over exactly these bytes.
    public func signature(over text: String) throws -> [UInt8] {
        switch key {
        case .ed25519(let key): Array(try key.signature(for: Data(text.utf8)))
        case .p256(let key): Array(try key.signature(for: Data(text.utf8)).rawRepresentation)
        }
    }

    public var header: String { #"{"alg":"\#(algorithm)","kid":"\#(keyID)","typ":"trackme-command+jwt"}"# }

    /// - Parameter header: as it stands; nil for the right one.
    public func token(header: String? = nil, claims: [UInt8]) throws -> String {
        let signed = Base64URL.encode(Array((header ?? self.header).utf8)) + "." + Base64URL.encode(claims)
        return signed + "." + Base64URL.encode(try signature(over: signed))
    }

    public func token(header: String? = nil, _ claims: TestClaims = TestClaims()) throws -> String {
        try token(header: header, claims: Array(claims.text(issuer: id).utf8))
    }
}

/// Claims that hold, and one of them changed.
public struct TestClaims: Sendable {
    /// 2026-03-01T08:30:00Z, in seconds.
    public static let now: Int64 = 1_772_353_800

    public var issuer: String?
    public var audience = #""house-12""#
    public var issued = "\(now - 5)"
    public var expires = "\(now + 300)"
    public var id = "c-1"
    public var sequence = "7"
    public var command = #"{"type":"drill","person":"maria"}"#
    /// More members, with a comma before each.
    public var more = ""

    public init() {}

    public func text(issuer id: String) -> String {
        #"{"iss":"\#(issuer ?? id)","aud":\#(audience),"iat":\#(issued),"exp":\#(expires),"#
            + #""jti":"\#(self.id)","seq":\#(sequence),"cmd":\#(command)\#(more)}"#
    }

    public static func with(_ change: (inout TestClaims) -> Void) -> TestClaims {
        var claims = TestClaims()
        change(&claims)
        return claims
    }
}

extension CommandVerifier {
    public static let testTime = Time(
        now: WallTime(millisecondsSince1970: TestClaims.now * 1_000), isRight: true)

    /// `house-12`, of which `issuers` may ask everything but decisions.
    public static func house12(_ issuers: TestIssuer...) async throws -> CommandVerifier {
        var pinned: [PinnedIssuer] = []
        for issuer in issuers { pinned.append(try await issuer.pinned()) }
        return CommandVerifier(gateway: GatewayID(sample: "house-12"), issuers: pinned)
    }

    public func judge(_ token: String, _ book: CommandJournal = CommandJournal(), time: Time = Self.testTime)
        -> CommandVerdict
    {
        judge(Array(token.utf8), at: time, book)
    }
}

extension CommandVerdict {
    public var reason: CommandRefusal.Reason? {
        if case .refused(let refusal, _) = self { refusal.reason } else { nil }
    }

    public var fresh: VerifiedCommand? {
        if case .fresh(let command) = self { command } else { nil }
    }
}
