import CommandSamples
import GatewayModel
import Testing

@testable import CloudCommands

@Suite struct `A pinned key` {
    private func fault(_ text: String) async -> String? {
        do throws(PinnedKey.Fault) {
            _ = try await PinnedIssuer.keys(in: Array(text.utf8))
            return nil
        } catch {
            return error.description
        }
    }

    @Test func `has the thumbprint of RFC 7638`() async throws {
        // RFC 8037 appendix A.2 and A.3.
        let jwk = #"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo","kid":"k"}"#
        let key = try await PinnedKey(jwk: Array(jwk.utf8))
        #expect(key.thumbprint == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
    }

    @Test func `verifies the example of RFC 8037`() async throws {
        // Appendix A.4.
        let jwk = #"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo","kid":"k"}"#
        let key = try await PinnedKey(jwk: Array(jwk.utf8))
        let signed = Array("eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc".utf8)
        let signature = try #require(
            Base64URL.decode(
                "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"))
        #expect(key.verifies(signature, of: signed))
        #expect(!key.verifies(signature, of: signed + [0]))
        #expect(!key.verifies(signature + [0], of: signed))
        #expect(!key.verifies([], of: signed))
    }

    @Test func `is of one of two kinds, public, whole and named`() async throws {
        let (issuer, other) = (TestIssuer.ed25519(), TestIssuer.p256())
        #expect(await fault(#"{"keys":[\#(issuer.jwk),\#(other.jwk)]}"#) == nil)
        #expect(await fault(issuer.jwk) == nil)
        let x = Base64URL.encode([UInt8](repeating: 1, count: 32))
        for (wrong, words) in [
            ("nonsense", "expected a JWK set as JSON"), ("[]", "expected a JWK set"),
            (#"{"keys":[]}"#, "1 to 8 keys"), (#"{"keys":[1]}"#, "key 1"),
            (#"{"kty":"oct","k":"AAAA","kid":"a"}"#, "private or a shared key"),
            (#"{"kty":"OKP","crv":"Ed25519","x":"\#(x)","d":"\#(x)","kid":"a"}"#, "private or a shared key"),
            (#"{"kty":"RSA","n":"AQAB","e":"AQAB","kid":"a"}"#, "another kind"),
            (#"{"kty":"EC","crv":"P-384","x":"\#(x)","y":"\#(x)","kid":"a"}"#, "another kind"),
            (#"{"kty":"OKP","crv":"X25519","x":"\#(x)","kid":"a"}"#, "another kind"),
            (#"{"kty":"OKP","crv":"Ed25519","x":"\#(x)"}"#, "kid"),
            (#"{"kty":"OKP","crv":"Ed25519","x":"\#(x)","kid":"a b"}"#, "kid"),
            (#"{"kty":"OKP","crv":"Ed25519","x":"AAAA","kid":"a"}"#, "usable x"),
            (#"{"kty":"OKP","crv":"Ed25519","x":"\#(x)","kid":"a","alg":"ES256"}"#, "expected EdDSA"),
            (#"{"kty":"OKP","crv":"Ed25519","x":"\#(x)","kid":"a","use":"enc"}"#, "expected sig"),
            (#"{"kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(x)","kid":"a"}"#, "no point of the curve"),
            (#"{"kty":"OKP","crv":"Ed25519","x":"\#(x)","kid":"a","kid":"b"}"#, "already"),
        ] {
            let found = await fault(wrong)
            #expect(found?.contains(words) == true, "\(wrong): \(found ?? "taken")")
        }
    }

    @Test func `is named by its kid alone, so no two may have one`() async throws {
        let (one, two) = (
            try await TestIssuer.ed25519().pinned(), try await TestIssuer.p256("operator").pinned()
        )
        #expect(PinnedIssuer.sharedKeyID(of: [one, two]) == nil)
        let third = try await TestIssuer.p256("other", keyID: "2026-1").pinned()
        #expect(PinnedIssuer.sharedKeyID(of: [one, two, third]) == "2026-1")
    }
}
