import GatewayModel
import HostileInput
import Testing

@testable import Accounts

/// Answers of browsers that no browser gives: a fault, and never the end of the process.
@Suite(.serialized) struct `Hostile answers of browsers` {
    @Test func `with a new passkey end nothing, and give no passkey out of bounds`() throws {
        let vectors = try SpecificationVectors.all()
        let client = vectors[0].registration.clientData
        Campaign("passkey-attestation").run(seeds: vectors.map(\.registration.attestation), words: ["\u{0}"]) {
            let made = try? SpecificationVectors.party.verify(
                PasskeyRegistration(clientData: client, attestation: $0)
            ) { _ throws(PasskeyFault) in }
            guard let made else { return }
            #expect(PasskeyID.lengths.contains(made.id.bytes.count))
            #expect(PasskeyKey(stored: made.key.stored) == made.key)
        }
    }

    @Test func `with data of an authenticator sign nobody in`() throws {
        let vector = try SpecificationVectors.vector("packed-es256")
        let key = try SpecificationVectors.key(of: vector.registration)
        let sound = vector.assertion
        Campaign("passkey-authenticator-data").run(seeds: [sound.authenticatorData], words: ["\u{0}"]) {
            let answer = PasskeyAssertion(
                clientData: sound.clientData, authenticatorData: $0, signature: sound.signature, userHandle: [])
            let isSound = (try? SpecificationVectors.party.counter(of: answer, signedBy: key)) != nil
            #expect(isSound == ($0 == sound.authenticatorData))
        }
    }

    @Test func `with a signature sign nobody in`() throws {
        for section in ["packed-es256", "packed-eddsa"] {
            let vector = try SpecificationVectors.vector(section)
            let key = try SpecificationVectors.key(of: vector.registration)
            let sound = vector.assertion
            Campaign("passkey-signature").run(seeds: [sound.signature], words: ["\u{0}"]) {
                let answer = PasskeyAssertion(
                    clientData: sound.clientData, authenticatorData: sound.authenticatorData, signature: $0,
                    userHandle: [])
                do throws(PasskeyFault) {
                    _ = try SpecificationVectors.party.counter(of: answer, signedBy: key)
                    #expect($0 == sound.signature)
                } catch .userNotVerified {
                    #expect($0 == sound.signature)
                } catch {}
            }
        }
    }

    @Test func `with data of a client give no challenge of another page`() throws {
        let seeds = try SpecificationVectors.all().map(\.assertion.clientData)
        Campaign("passkey-client-data").run(seeds: seeds) {
            guard let challenge = try? SpecificationVectors.party.challenge(of: $0, "webauthn.get") else {
                return
            }
            #expect(String(decoding: $0, as: UTF8.self).contains(Base64URL.encode(challenge)))
        }
    }
}
