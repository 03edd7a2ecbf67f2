import Crypto
import Foundation
import GatewayModel
import Testing

@testable import Contract
@testable import Sealing

@Suite struct `The word of a party` {
    private let owner = Curve25519.Signing.PrivateKey()
    private func key(_ owner: Curve25519.Signing.PrivateKey) throws -> ThirdParty.SigningKey {
        try #require(ThirdParty.SigningKey(bytes: Array(owner.publicKey.rawRepresentation)))
    }

    private func change(
        gateway: String = "house-12", party: String = "clinic", from old: String = "a", to new: String = "b",
        byte: UInt8 = 9
    ) throws -> PartyKeyChange {
        let sealing = ThirdParty.SealingKey(
            id: try #require(KeyID(new)), bytes: [UInt8](repeating: byte, count: 32))
        return PartyKeyChange(
            gateway: GatewayID(checked: gateway), party: PartyID(checked: party),
            replacing: try #require(KeyID(old)), with: try #require(sealing))
    }

    @Test func `is what docs/sealing.md shows`() throws {
        #expect(
            String(decoding: try change().statement, as: UTF8.self) == """
                trackme-party-key-v1
                house-12
                clinic
                a
                b
                CQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk
                """)
    }

    @Test func `is of one house, one party, one key in force and one new key`() throws {
        let signature = Array(try owner.signature(for: change().statement))
        #expect(PartySignature.isValid(signature, over: try change().statement, by: try key(owner)))
        for other in [
            try change(gateway: "house-13"), try change(party: "other"), try change(from: "b"),
            try change(to: "c"), try change(byte: 10),
        ] {
            #expect(!PartySignature.isValid(signature, over: other.statement, by: try key(owner)))
        }
    }

    @Test func `is by its own key, and whole`() throws {
        let statement = try change().statement
        let signature = Array(try owner.signature(for: statement))
        for place in signature.indices {
            var other = signature
            other[place] ^= 1
            #expect(!PartySignature.isValid(other, over: statement, by: try key(owner)))
        }
        let stranger = try key(Curve25519.Signing.PrivateKey())
        #expect(!PartySignature.isValid(signature, over: statement, by: stranger))
        for other in [[], Array(signature.dropLast()), signature + [0]] {
            #expect(!PartySignature.isValid(other, over: statement, by: try key(owner)))
        }
    }

    @Test func `is Ed25519 as RFC 8032 has it, section 7.1, test 1`() throws {
        let publicKey = try #require(
            ThirdParty.SigningKey(
                bytes: bytes("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")))
        let signature = bytes(
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
                + "d25bf5f0595bbe24655141438e7a100b")
        #expect(PartySignature.isValid(signature, over: [], by: publicKey))
    }

    private func bytes(_ hex: String) -> [UInt8] {
        stride(from: 0, to: hex.count, by: 2).compactMap { UInt8(hex.dropFirst($0).prefix(2), radix: 16) }
    }
}
