import CloudCommands
import CommandSamples
import GatewayModel
import ModelSamples
import Testing

@Suite struct `A signed status of the desk` {
    private static let header = #"{"alg":"EdDSA","kid":"2026-1","typ":"trackme-desk+jwt"}"#
    private static let gateway = GatewayID(sample: "house-12")

    private static func claims(
        issuer: String = "trackme", audience: String = #""house-12""#, issued: String = "1772353795",
        state: String = "attended", more: String = ""
    ) -> [UInt8] {
        Array(
            #"{"iss":"\#(issuer)","aud":\#(audience),"iat":\#(issued),"state":"\#(state)"\#(more)}"#.utf8)
    }

    private static func pinned(_ issuer: TestIssuer, hasDesk: Bool = true) async throws -> PinnedIssuer {
        PinnedIssuer(
            id: IssuerID(sample: issuer.id), keys: [try await PinnedKey(jwk: Array(issuer.jwk.utf8))], may: [],
            hasDesk: hasDesk)
    }

    private static func reason(_ token: String, _ issuers: [PinnedIssuer]) -> CommandRefusal.Reason? {
        do throws(CommandRefusal) {
            _ = try SignedDeskStatus(Array(token.utf8), to: gateway, from: issuers)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test(arguments: [TestIssuer.ed25519(), .p256()], SignedDeskStatus.State.allCases)
    func `names its issuer, its time and the state`(
        issuer: TestIssuer, state: SignedDeskStatus.State
    ) async throws {
        let header = #"{"alg":"\#(issuer.algorithm)","kid":"\#(issuer.keyID)","typ":"trackme-desk+jwt"}"#
        let token = try issuer.token(header: header, claims: Self.claims(state: state.rawValue))
        let read = try SignedDeskStatus(
            Array(token.utf8), to: Self.gateway, from: [try await Self.pinned(issuer)])
        #expect(read.issuer.text == "trackme" && read.state == state)
        #expect(read.issued == WallTime(millisecondsSince1970: 1_772_353_795_000))
    }

    @Test func `is refused with anything that is not as expected`() async throws {
        let issuer = TestIssuer.ed25519()
        let pinned = [try await Self.pinned(issuer)]
        func reason(_ claims: [UInt8], header: String = Self.header) throws -> CommandRefusal.Reason? {
            Self.reason(try issuer.token(header: header, claims: claims), pinned)
        }
        #expect(try reason(Self.claims()) == nil)
        #expect(try reason(Self.claims(audience: #""house-13""#)) == .wrongAudience)
        #expect(try reason(Self.claims(audience: #"["house-12","house-13"]"#)) == .wrongValue)
        #expect(try reason(Self.claims(issuer: "somebody")) == .wrongIssuer)
        #expect(try reason(Self.claims(issued: "-1")) == .wrongValue)
        #expect(try reason(Self.claims(issued: "1.5")) == .wrongValue)
        #expect(try reason(Self.claims(state: "empty")) == .wrongValue)
        #expect(try reason(Self.claims(more: #","x":1"#)) == .unknownMember)
        #expect(try reason(Self.claims(more: #","state":"attended""#)) == .malformed)
        #expect(try reason(Array("[".utf8)) == .malformed)
        for type in ["trackme-command+jwt", "trackme-acceptance+jwt", "JWT"] {
            let header = Self.header.replacing("trackme-desk+jwt", with: type)
            #expect(try reason(Self.claims(), header: header) == .wrongType)
        }
        let forged = try TestIssuer.ed25519().token(header: Self.header, claims: Self.claims())
        #expect(Self.reason(forged, pinned) == .badSignature)
        #expect(Self.reason(forged, []) == .unknownKey)
        let mute = [try await Self.pinned(issuer, hasDesk: false)]
        #expect(Self.reason(try issuer.token(header: Self.header, claims: Self.claims()), mute) == .notAllowed)
        #expect(Self.reason(String(repeating: "a", count: 2_049), pinned) == .tooLarge)
    }

    @Test func `is refused when it is cut off or changed at any byte`() async throws {
        let issuer = TestIssuer.ed25519()
        let pinned = [try await Self.pinned(issuer)]
        let token = Array(try issuer.token(header: Self.header, claims: Self.claims()).utf8)
        for place in token.indices {
            #expect(Self.reason(String(decoding: token[..<place], as: UTF8.self), pinned) != nil)
            var changed = token
            changed[place] = changed[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(Self.reason(String(decoding: changed, as: UTF8.self), pinned) != nil, "byte \(place)")
        }
    }
}
