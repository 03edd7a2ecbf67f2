import CommandSamples
import Crypto
import Foundation
import GatewayModel
import HostileInput
import RunBeacon
import TestSupport
import Testing

@testable import CloudCommands

/// Everything tried to have a command done that nobody may ask, with what becomes of it; docs/integrator/commands.md holds
/// the same table.
@Suite struct `An attack with a command` {
    struct Attack: Sendable {
        let name: String
        let reason: CommandRefusal.Reason
        let token: @Sendable (TestIssuer) throws -> String

        init(
            _ name: String, _ reason: CommandRefusal.Reason,
            _ token: @escaping @Sendable (TestIssuer) throws -> String
        ) {
            (self.name, self.reason, self.token) = (name, reason, token)
        }

        /// Signed rightly, with one thing in the claims changed.
        static func claims(
            _ name: String, _ reason: CommandRefusal.Reason,
            _ change: @escaping @Sendable (inout TestClaims) -> Void
        ) -> Attack {
            Attack(name, reason) { try $0.token(TestClaims.with(change)) }
        }

        /// Signed rightly, with another header.
        static func header(
            _ name: String, _ reason: CommandRefusal.Reason,
            _ header: @escaping @Sendable (TestIssuer) -> String
        ) -> Attack {
            Attack(name, reason) { try $0.token(header: header($0)) }
        }
    }

    private static func deep(_ levels: Int) -> String {
        String(repeating: #"{"a":"#, count: levels) + "1" + String(repeating: "}", count: levels)
    }

    private static func altered(_ token: String, _ part: Int, _ change: (String) -> String) -> String {
        var parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        parts[part] = change(parts[part])
        return parts.joined(separator: ".")
    }

    static let keys: [Attack] = [
        Attack("alg none, without a signature", .malformed) { issuer in
            let header = #"{"alg":"none","kid":"\#(issuer.keyID)","typ":"trackme-command+jwt"}"#
            return altered(try issuer.token(header: header), 2) { _ in "" }
        },
        .header("alg none", .algorithmRefused) {
            #"{"alg":"none","kid":"\#($0.keyID)","typ":"trackme-command+jwt"}"#
        },
        .header("alg None", .algorithmRefused) {
            #"{"alg":"None","kid":"\#($0.keyID)","typ":"trackme-command+jwt"}"#
        },
        Attack("HS256 with the public key as the shared secret", .algorithmRefused) { issuer in
            let header = #"{"alg":"HS256","kid":"\#(issuer.keyID)","typ":"trackme-command+jwt"}"#
            let signed =
                Base64URL.encode(Array(header.utf8)) + "."
                + Base64URL.encode(Array(TestClaims().text(issuer: issuer.id).utf8))
            let code = HMAC<SHA256>.authenticationCode(
                for: Data(signed.utf8), using: SymmetricKey(data: issuer.rawPublicKey))
            return signed + "." + Base64URL.encode(Array(code))
        },
        .header("the other algorithm of the two", .algorithmRefused) {
            let other = $0.algorithm == "EdDSA" ? "ES256" : "EdDSA"
            return #"{"alg":"\#(other)","kid":"\#($0.keyID)","typ":"trackme-command+jwt"}"#
        },
        .header("RS256", .algorithmRefused) {
            #"{"alg":"RS256","kid":"\#($0.keyID)","typ":"trackme-command+jwt"}"#
        },
        .header("a kid that is not pinned", .unknownKey) {
            #"{"alg":"\#($0.algorithm)","kid":"2027-1","typ":"trackme-command+jwt"}"#
        },
        .header("no kid", .unknownKey) { #"{"alg":"\#($0.algorithm)","typ":"trackme-command+jwt"}"# },
        .header("kid as a path", .unknownKey) {
            #"{"alg":"\#($0.algorithm)","kid":"../../dev/null","typ":"trackme-command+jwt"}"#
        },
        Attack("an embedded key (jwk) that signed it", .unknownHeader) { issuer in
            let mallory = TestIssuer.ed25519()
            return try mallory.token(
                header:
                    #"{"alg":"EdDSA","jwk":\#(mallory.jwk),"kid":"\#(issuer.keyID)","typ":"trackme-command+jwt"}"#
            )
        },
        .header("jku", .unknownHeader) {
            #"{"alg":"\#($0.algorithm)","jku":"https://mallory.example/k","kid":"\#($0.keyID)","typ":"trackme-command+jwt"}"#
        },
        .header("x5c", .unknownHeader) {
            #"{"alg":"\#($0.algorithm)","x5c":["MIIB"],"kid":"\#($0.keyID)","typ":"trackme-command+jwt"}"#
        },
        .header("crit", .unknownHeader) {
            #"{"alg":"\#($0.algorithm)","crit":["exp"],"exp":1,"kid":"\#($0.keyID)","typ":"trackme-command+jwt"}"#
        },
        .header("an unencoded payload (b64)", .unknownHeader) {
            #"{"alg":"\#($0.algorithm)","b64":false,"kid":"\#($0.keyID)","typ":"trackme-command+jwt"}"#
        },
        Attack("somebody else's key under the pinned kid", .badSignature) { issuer in
            let mallory =
                issuer.algorithm == "EdDSA"
                ? TestIssuer.ed25519(issuer.id, keyID: issuer.keyID) : .p256(issuer.id, keyID: issuer.keyID)
            return try mallory.token()
        },
        Attack("other claims under a good signature", .badSignature) { issuer in
            let claims = TestClaims.with { $0.command = #"{"type":"abort"}"# }
            let other = Base64URL.encode(Array(claims.text(issuer: issuer.id).utf8))
            return altered(try issuer.token(), 1) { _ in other }
        },
        Attack("a signature that is too long", .badSignature) { issuer in
            altered(try issuer.token(), 2) { Base64URL.encode((Base64URL.decode($0) ?? []) + [0]) }
        },
        Attack("a signature of zeros", .badSignature) { issuer in
            altered(try issuer.token(), 2) { _ in Base64URL.encode([UInt8](repeating: 0, count: 64)) }
        },
        .header("made for something else (typ JWT)", .wrongType) {
            #"{"alg":"\#($0.algorithm)","kid":"\#($0.keyID)","typ":"JWT"}"#
        },
        .header("a receipt sent back as a command", .wrongType) {
            #"{"alg":"\#($0.algorithm)","kid":"\#($0.keyID)","typ":"trackme-receipt+jwt"}"#
        },
        .header("no typ", .wrongType) { #"{"alg":"\#($0.algorithm)","kid":"\#($0.keyID)"}"# },
    ]

    static let forms: [Attack] = [
        Attack("more than is taken", .tooLarge) { issuer in
            try issuer.token(TestClaims.with { $0.id = String(repeating: "x", count: 20_000) })
        },
        .header("a header larger than what it may hold", .tooLarge) {
            let kid = String(repeating: "x", count: 500)
            return #"{"alg":"\#($0.algorithm)","kid":"\#(kid)","typ":"trackme-command+jwt"}"#
        },
        Attack("padding", .malformed) { issuer in altered(try issuer.token(), 2) { $0 + "==" } },
        Attack("base64url with bits left over", .malformed) { issuer in
            // 64 bytes leave four bits in the last letter, which are zero in the canonical form.
            altered(try issuer.token(), 2) { text in
                let last = text.last.map(String.init) ?? ""
                let next = ["A": "B", "Q": "R", "g": "h", "w": "x"][last] ?? "_"
                return text.dropLast() + next
            }
        },
        Attack("base64 of the other alphabet", .malformed) { issuer in
            altered(try issuer.token(), 0) { $0.dropLast() + "+" }
        },
        Attack("a line break at the end", .malformed) { issuer in try issuer.token() + "\n" },
        Attack("a fourth part", .malformed) { issuer in try issuer.token() + ".e30" },
        Attack("nothing", .malformed) { _ in "" },
        Attack("JSON serialization instead of the compact one", .malformed) { _ in #"{"payload":"e30"}"# },
        .header("a header with alg twice", .malformed) {
            #"{"alg":"\#($0.algorithm)","alg":"none","kid":"\#($0.keyID)","typ":"trackme-command+jwt"}"#
        },
        .header("a header with bytes after it", .malformed) { $0.header + "{}" },
        Attack("claims with a member twice", .duplicateMember) { issuer in
            try issuer.token(TestClaims.with { $0.more = #","aud":"house-13""# })
        },
        .claims("claims with a member twice, once written with an escape", .duplicateMember) {
            $0.more = #","\u0061ud":"house-13""#
        },
        .claims("cmd with a member twice", .duplicateMember) {
            $0.command = #"{"type":"drill","person":"maria","person":"paolo"}"#
        },
        .claims("a key of cmd with a member twice", .duplicateMember) {
            $0.command = #"{"type":"rotate-key","key":{"kty":"OKP","kty":"EC"}}"#
        },
        .claims("a claim that is not known", .unknownMember) { $0.more = #","nbf":0"# },
        .claims("a member of cmd that is not known", .unknownMember) {
            $0.command = #"{"type":"drill","person":"maria","silent":true}"#
        },
        .claims("deep nesting", .malformed) { $0.command = deep(400) },
        .claims("nesting one deeper than is taken", .malformed) { $0.command = deep(StrictJSON.deepest) },
        Attack("bytes that are not UTF-8", .malformed) { issuer in
            var bytes = Array(TestClaims.with { $0.more = #","by":"X""# }.text(issuer: issuer.id).utf8)
            bytes[bytes.count - 3] = 0xFF
            return try issuer.token(claims: bytes)
        },
        Attack("claims with bytes after them", .malformed) { issuer in
            try issuer.token(claims: Array((TestClaims().text(issuer: issuer.id) + " x").utf8))
        },
        .claims("half a surrogate pair", .malformed) { $0.more = #","by":"\ud800""# },
        .claims("a name with a line break", .wrongValue) { $0.more = #","by":"Anna\nALARM OVER""# },
        .claims("iat as a text", .wrongValue) { $0.issued = #""\#(TestClaims.now)""# },
        .claims("exp with a fraction", .wrongValue) { $0.expires = "\(TestClaims.now + 9).5" },
        .claims("exp beyond all numbers", .malformed) { $0.expires = "99999999999999999999" },
        .claims("a negative seq", .wrongValue) { $0.sequence = "-1" },
        .claims("cmd that is none", .wrongValue) { $0.command = "null" },
        .claims("a command that is not known", .unknownCommand) { $0.command = #"{"type":"format-disk"}"# },
        .claims("a person's id that is a path", .wrongValue) {
            $0.command = #"{"type":"drill","person":"../maria"}"#
        },
    ]

    static let promises: [Attack] = [
        .claims("for another gateway", .wrongAudience) { $0.audience = #""house-13""# },
        .claims("for several gateways", .wrongAudience) { $0.audience = #"["house-12","house-13"]"# },
        .claims("in another issuer's name", .wrongIssuer) { $0.issuer = "operator" },
        .claims("expired", .expired) {
            ($0.issued, $0.expires) = ("\(TestClaims.now - 3_600)", "\(TestClaims.now - 61)")
        },
        .claims("issued in the future", .issuedInFuture) {
            ($0.issued, $0.expires) = ("\(TestClaims.now + 61)", "\(TestClaims.now + 300)")
        },
        .claims("for ever", .lifetimeTooLong) { $0.expires = "\(TestClaims.now + 315_360_000)" },
        .claims("ended before it began", .lifetimeTooLong) { $0.expires = "\(TestClaims.now - 6)" },
        .claims("a decision on a person's behalf", .notAllowed) {
            $0.command = #"{"type":"policy","person":"maria","accepted":true}"#
        },
    ]

    private func check(_ attack: Attack) async throws {
        for issuer in [TestIssuer.ed25519(), .p256()] {
            let other = TestIssuer.p256("operator", keyID: "op-1")
            let verdict = try await CommandVerifier.house12(issuer, other).judge(try attack.token(issuer))
            #expect(verdict.reason == attack.reason, "\(attack.name), \(issuer.algorithm): \(verdict)")
        }
    }

    @Test(arguments: keys.indices) func `on the key is refused`(_ index: Int) async throws {
        try await check(Self.keys[index])
    }

    @Test(arguments: forms.indices) func `on the form is refused`(_ index: Int) async throws {
        try await check(Self.forms[index])
    }

    @Test(arguments: promises.indices) func `on what was agreed is refused`(_ index: Int) async throws {
        try await check(Self.promises[index])
    }

    @Test func `by cutting it off anywhere is refused`() async throws {
        let issuer = TestIssuer.ed25519()
        let verifier = try await CommandVerifier.house12(issuer)
        let token = try issuer.token()
        #expect(verifier.judge(token).fresh != nil)
        for length in 0..<token.utf8.count {
            let verdict = verifier.judge(String(decoding: token.utf8.prefix(length), as: UTF8.self))
            #expect(verdict.reason != nil, "the first \(length) bytes")
        }
    }

    @Test func `by changing any one of its bytes is refused`() async throws {
        let issuer = TestIssuer.ed25519()
        let verifier = try await CommandVerifier.house12(issuer)
        let token = Array(try issuer.token().utf8)
        for index in token.indices {
            var bytes = token
            bytes[index] = bytes[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            let verdict = verifier.judge(bytes, at: CommandVerifier.testTime, CommandJournal())
            #expect(verdict.fresh == nil, "byte \(index)")
        }
    }

    private static let foundBeforeTheSignature: Set<CommandRefusal.Reason> = [
        .tooLarge, .malformed, .unknownHeader, .wrongType, .algorithmRefused, .unknownKey, .badSignature,
    ]

    /// Before the signature is known to be good nothing is told about the house, its keys or its time.
    @Test func `is told nothing but the form it did not have`() async throws {
        let issuer = TestIssuer.ed25519(keyID: "secret-kid")
        let verifier = try await CommandVerifier.house12(issuer)
        for attack in Self.keys + Self.forms {
            guard case .refused(let refusal, let name) = verifier.judge(try attack.token(issuer)),
                Self.foundBeforeTheSignature.contains(refusal.reason)
            else { continue }
            #expect(name == nil, "\(attack.name)")
            for secret in ["house-12", "trackme\"", "secret-kid", "maria"] {
                #expect(!refusal.detail.contains(secret), "\(attack.name): \(refusal.detail)")
            }
        }
    }
}

/// Inputs of broken or hostile senders: an answer, an error, and never the end of the process.
@Suite(.serialized) struct `Hostile input` {
    private static func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    private static func examples(_ folder: String) throws -> [[UInt8]] {
        try FileManager.default.contentsOfDirectory(
            at: Repository.root.appending(path: "docs/contract/examples/\(folder)"),
            includingPropertiesForKeys: nil
        ).sorted { $0.path < $1.path }.map { [UInt8](try Data(contentsOf: $0)) }
    }

    @Test func `on the topic of commands ends nothing`() async throws {
        let issuer = TestIssuer.ed25519()
        let verifier = try await CommandVerifier.house12(issuer)
        let seeds = [
            try issuer.token(), try issuer.token(TestClaims.with { $0.command = #"{"type":"abort"}"# }),
        ]
        Campaign("command-token").run(
            seeds: Self.bytes(seeds), words: Mutator.jsonWords + [".", "..", "=", "-_"]
        ) {
            _ = verifier.judge($0, at: CommandVerifier.testTime, CommandJournal())
        }
    }

    /// A cloud whose keys were stolen.
    @Test func `in signed commands ends nothing`() throws {
        let seeds = try Self.examples("command")
        try #require(seeds.count > 5)
        Campaign("command-claims").run(seeds: seeds) { bytes in
            guard let claims = try? CommandClaims(bytes) else { return }
            if case .run(.create(let plan)) = claims.command { _ = try? Run(plan) }
        }
    }
}
