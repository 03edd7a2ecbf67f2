import CloudCommands
import CommandSamples
import Contract
import ContractSamples
import Crypto
import Foundation
import GatewayModel
import ModelSamples
import RealTime
import TestSupport
import Testing

/// Somebody else's JOSE: PyJWT over OpenSSL, by the programs that docs/integrator/commands.md shows.
@Suite struct `The programs of the document` {
    private let scratch: ScratchDirectory
    init() throws { scratch = try ScratchDirectory() }

    private func output(_ words: String...) async throws -> String {
        let child = try TiedChild(
            [Repository.root.appending(path: "Tests/Contract/check").path] + words)
        let code = try await child.ending.first("the end of the program", within: .seconds(400)) { _ in true }
        try #require(code == 0, "\(child.errors.values.joined(separator: "\n"))")
        return child.output.values.joined(separator: "\n")
    }

    /// PKCS #8 (RFC 8410 section 7).
    private static func pem(_ key: Curve25519.Signing.PrivateKey) -> String {
        let start: [UInt8] = [
            0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
        ]
        let body = (Data(start) + key.rawRepresentation).base64EncodedString()
        return "-----BEGIN PRIVATE KEY-----\n\(body)\n-----END PRIVATE KEY-----\n"
    }

    @Test(arguments: ["EdDSA", "ES256"]) func `sign commands that are taken`(_ algorithm: String) async throws {
        let issuer: TestIssuer = algorithm == "EdDSA" ? .ed25519() : .p256(keyID: "2026-1")
        let pem =
            switch issuer.key {
            case .ed25519(let key): Self.pem(key)
            case .p256(let key): key.pemRepresentation
            }
        let file = try scratch.write(pem, to: "issuer.pem")
        let token = try await output("command", file.path, algorithm)
        let verdict = try await CommandVerifier.house12(issuer).judge(
            token, time: CommandVerifier.Time(now: Clock.wall(), isRight: true))
        #expect(verdict.fresh?.command == .drill(PersonID(sample: "maria")), "\(verdict)")
    }

    @Test func `believe the gateway's receipts, and no other's`() async throws {
        let identity = GatewayIdentity(makingOneFor: GatewayID(sample: "house-12"))
        let now = Clock.wall()
        let claims = ReceiptClaims.answer(
            to: ReceiptClaims.Subject(issuer: "trackme", id: "c-7", sequence: 7), message: "m",
            ReceiptClaims.Outcome(.refused, reason: "expired"), id: .random(at: now), at: now,
            topics: Topics(gateway: identity.gateway))
        let receipt = String(decoding: try identity.sign(claims: claims.json), as: UTF8.self)
        let keys = try scratch.write("{\"keys\":[\(identity.publicJWK)]}", to: "gateway.jwks")
        #expect(try await output("receipt", keys.path, receipt) == "c-7 refused expired")
        let other = GatewayIdentity(makingOneFor: identity.gateway)
        let strange = try scratch.write("{\"keys\":[\(other.publicJWK)]}", to: "other.jwks")
        let child = try TiedChild(
            [Repository.root.appending(path: "Tests/Contract/check").path, "receipt", strange.path, receipt])
        #expect(try await child.ending.first("the end of the program", within: .seconds(60)) { _ in true } != 0)
        #expect(child.errors.values.contains { $0.contains("InvalidSignatureError") })
    }

    @Test func `and its table of attacks are what the tests hold`() throws {
        let text = try String(
            contentsOf: Repository.root.appending(path: "docs/integrator/commands.md"), encoding: .utf8)
        let attacks =
            `An attack with a command`.keys + `An attack with a command`.forms
            + `An attack with a command`.promises
        let rows = attacks.map { "| \($0.name) | `\($0.reason.rawValue)` |" }
        #expect(
            text.hasSuffix(rows.joined(separator: "\n") + "\n"),
            "docs/integrator/commands.md ends with another table")
        for kind in CommandKind.allCases { #expect(text.contains("`\(kind.rawValue)`"), "\(kind)") }
    }
}
