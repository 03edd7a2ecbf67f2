import CloudCommands
import CommandSamples
import Foundation
import GatewayModel
import HomeGateway
import Hub
import ModelSamples
import SOSLocal
import Testing

@testable import Alarms

@Suite struct `A signed acceptance` {
    private static let alarm = "0190c3a2-0000-7000-8000-000000000010"
    private static let header = #"{"alg":"EdDSA","kid":"2026-1","typ":"trackme-acceptance+jwt"}"#
    private static let maria = PersonID(sample: "maria")
    private static let gateway = GatewayID(sample: "house-12")

    private static func claims(
        issuer: String = "trackme", audience: String = "house-12", person: String = "maria",
        by: String = #""Operator 7""#, alarm: String = alarm, issued: String = "1", more: String = ""
    ) -> [UInt8] {
        Array(
            (#"{"iss":"\#(issuer)","aud":"\#(audience)","iat":\#(issued),"person":"\#(person)","#
                + #""alarm":"\#(alarm)","by":\#(by)\#(more)}"#).utf8)
    }

    private static func reason(
        _ token: String, _ issuers: [PinnedIssuer]
    ) -> CommandRefusal.Reason? {
        do throws(CommandRefusal) {
            _ = try SignedAcceptance(Array(token.utf8), of: maria, to: gateway, from: issuers)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test(arguments: [TestIssuer.ed25519(), .p256()])
    func `names alarm, person and who takes the call, however old it is`(issuer: TestIssuer) async throws {
        let header = #"{"alg":"\#(issuer.algorithm)","kid":"\#(issuer.keyID)","typ":"trackme-acceptance+jwt"}"#
        let token = try issuer.token(header: header, claims: Self.claims())
        let read = try SignedAcceptance(
            Array(token.utf8), of: Self.maria, to: Self.gateway, from: [try await issuer.pinned()])
        #expect(read.by == "Operator 7" && read.alarm == AlarmID(Self.alarm) && read.issuer.text == "trackme")
    }

    @Test func `is refused with anything that is not as expected`() async throws {
        let issuer = TestIssuer.ed25519()
        let pinned = [try await issuer.pinned()]
        func reason(_ claims: [UInt8], header: String = Self.header) throws -> CommandRefusal.Reason? {
            Self.reason(try issuer.token(header: header, claims: claims), pinned)
        }
        #expect(try reason(Self.claims()) == nil)
        #expect(try reason(Self.claims(audience: "house-13")) == .wrongAudience)
        #expect(try reason(Self.claims(person: "paolo")) == .wrongValue)
        #expect(try reason(Self.claims(issuer: "somebody")) == .wrongIssuer)
        #expect(try reason(Self.claims(alarm: "1")) == .wrongValue)
        #expect(try reason(Self.claims(issued: "-1")) == .wrongValue)
        #expect(try reason(Self.claims(by: "\"\"")) == .wrongValue)
        #expect(try reason(Self.claims(by: #""x\n*** ALARM ***""#)) == .wrongValue)
        #expect(try reason(Self.claims(more: #","x":1"#)) == .unknownMember)
        #expect(try reason(Self.claims(more: #","by":"x""#)) == .malformed)
        #expect(try reason(Array("[".utf8)) == .malformed)
        #expect(try reason(Self.claims(), header: issuer.header) == .wrongType, "a command is no acceptance")
        // Somebody else's key under the kid that is pinned, and an issuer who may not accept.
        let forged = try TestIssuer.ed25519().token(header: Self.header, claims: Self.claims())
        #expect(Self.reason(forged, pinned) == .badSignature)
        #expect(Self.reason(forged, []) == .unknownKey)
        let key = try await PinnedKey(jwk: Array(issuer.jwk.utf8))
        let mute = PinnedIssuer(id: IssuerID(sample: "trackme"), keys: [key], may: [], mayAccept: false)
        #expect(
            Self.reason(try issuer.token(header: Self.header, claims: Self.claims()), [mute]) == .notAllowed)
        #expect(Self.reason(String(repeating: "a", count: 5_000), pinned) == .tooLarge)
    }

    @Test func `is refused when it is cut off or changed at any byte`() async throws {
        let issuer = TestIssuer.ed25519()
        let pinned = [try await issuer.pinned()]
        let token = Array(try issuer.token(header: Self.header, claims: Self.claims()).utf8)
        for place in token.indices {
            #expect(Self.reason(String(decoding: token[..<place], as: UTF8.self), pinned) != nil)
            var changed = token
            changed[place] = changed[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(Self.reason(String(decoding: changed, as: UTF8.self), pinned) != nil, "byte \(place)")
        }
    }

    @Test func `counts at the door, and without a signature only where that is allowed`() async throws {
        let issuer = TestIssuer.ed25519()
        let pinned = [try await issuer.pinned()]
        let unsigned = Array(#"{"alarm": "\#(Self.alarm)", "by": "Anybody"}"#.utf8)
        let signed = Array(try issuer.token(header: Self.header, claims: Self.claims()).utf8)
        let strict = AcceptanceDoor(gateway: Self.gateway, takesUnsigned: false)
        func accepts(_ door: AcceptanceDoor, _ payload: [UInt8]) -> Bool {
            if case .success = door.judge(payload, of: Self.maria, from: pinned) { true } else { false }
        }
        for count in 1...AcceptanceDoor.mostRefusals {
            #expect(!strict.isRefusing)
            #expect(!accepts(strict, unsigned))
            #expect(strict.isRefusing == (count == AcceptanceDoor.mostRefusals))
        }
        #expect(accepts(strict, signed) && !strict.isRefusing)
        let open = AcceptanceDoor(gateway: Self.gateway, takesUnsigned: true)
        #expect(accepts(open, unsigned) && accepts(open, signed))
        for rubbish in ["", "taken", "{", "[]", "a.b.c", "{}"] { #expect(!accepts(open, Array(rubbish.utf8))) }
    }
}
