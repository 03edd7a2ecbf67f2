import Crypto
import Foundation
import GatewayModel
import Testing

@testable import Accounts

/// Challenges, and answers of browsers.
struct RelyingPartyTests {
    private let noon = WallTime(millisecondsSince1970: 1_772_366_400_000)
    private let party = SpecificationVectors.party

    /// Fault of the registration and of the assertion; nil for a sound one. Devices without `UV` are refused after everything
    /// else has been verified.
    private static let expectations: [String: (PasskeyFault?, PasskeyFault?)] = [
        "none-es256": (.userNotVerified, .userNotVerified), "packed-self-es256": (nil, .userNotVerified),
        "none-es256-crossOrigin": (.wrongOrigin, .wrongOrigin),
        "none-es256-topOrigin": (.wrongOrigin, .wrongOrigin),
        "none-es256-long-credential-id": (.userNotVerified, nil), "packed-es256": (nil, nil),
        "packed-es384": (.unknownAlgorithm, nil), "packed-es512": (.unknownAlgorithm, nil),
        "packed-rs256": (.unknownAlgorithm, nil), "packed-ed448": (.unknownAlgorithm, nil),
        "packed-eddsa": (.userNotVerified, .userNotVerified), "tpm-es256": (nil, nil),
        "android-key-es256": (nil, .userNotVerified), "apple-es256": (.userNotVerified, .userNotVerified),
        "fido-u2f-es256": (.userNotVerified, .userNotVerified),
    ]

    private func fault(_ body: () throws(PasskeyFault) -> Void) -> PasskeyFault? {
        do throws(PasskeyFault) { try body() } catch { return error }
        return nil
    }

    private func fault(of vector: SpecificationVectors.Vector) -> PasskeyFault? {
        fault { () throws(PasskeyFault) in
            let made = try party.verify(vector.registration) { challenge throws(PasskeyFault) in
                guard challenge == vector.challenges.registration else { throw .wrongChallenge }
            }
            guard made.id.bytes == vector.id, made.counter == 0 else { throw .malformed("another passkey") }
        }
    }

    private func fault(of assertion: PasskeyAssertion, by key: PasskeyKey, _ expected: [UInt8]) -> PasskeyFault?
    {
        fault { () throws(PasskeyFault) in
            guard try party.challenge(of: assertion.clientData, "webauthn.get") == expected else {
                throw .wrongChallenge
            }
            guard try party.counter(of: assertion, signedBy: key) == 0 else {
                throw .malformed("another counter")
            }
        }
    }

    @Test func `each example of the specification has its result`() throws {
        let vectors = try SpecificationVectors.all()
        #expect(Set(vectors.map(\.section)) == Set(Self.expectations.keys))
        for vector in vectors {
            let (registration, assertion) = try #require(Self.expectations[vector.section])
            #expect(fault(of: vector) == registration, "\(vector.section)")
            guard registration != .unknownAlgorithm else { continue }
            let key = try SpecificationVectors.key(of: vector.registration)
            #expect(PasskeyKey(stored: key.stored) == key)
            #expect(
                fault(of: vector.assertion, by: key, vector.challenges.assertion) == assertion,
                "\(vector.section)")
        }
    }

    @Test(arguments: ["packed-es256", "none-es256-long-credential-id", "packed-eddsa"])
    func `a signature of another key or over other bytes is refused`(section: String) throws {
        let vector = try SpecificationVectors.vector(section)
        let key = try SpecificationVectors.key(of: vector.registration)
        let other = try SpecificationVectors.key(of: try SpecificationVectors.vector("tpm-es256").registration)
        let sound = vector.assertion
        #expect(fault(of: sound, by: other, vector.challenges.assertion) == .wrongSignature)
        func changed(_ bytes: [UInt8], _ index: Int) -> [UInt8] {
            var bytes = bytes
            bytes[index] ^= 1
            return bytes
        }
        for index in sound.signature.indices {
            let answer = PasskeyAssertion(
                clientData: sound.clientData, authenticatorData: sound.authenticatorData,
                signature: changed(sound.signature, index), userHandle: [])
            #expect(fault(of: answer, by: key, vector.challenges.assertion) == .wrongSignature, "\(index)")
        }
        // The last bytes are those of the counter.
        let counted = PasskeyAssertion(
            clientData: sound.clientData,
            authenticatorData: changed(sound.authenticatorData, sound.authenticatorData.count - 1),
            signature: sound.signature, userHandle: [])
        #expect(fault(of: counted, by: key, vector.challenges.assertion) == .wrongSignature)
    }

    @Test func `an answer to another ceremony, of another party or of another page is refused`() throws {
        let vector = try SpecificationVectors.vector("packed-es256")
        let key = try SpecificationVectors.key(of: vector.registration)
        #expect(
            fault { () throws(PasskeyFault) in
                _ = try party.challenge(of: vector.assertion.clientData, "webauthn.create")
            } == .wrongCeremony)
        let masterKey = [UInt8](repeating: 7, count: 32)
        let port = try #require(
            RelyingParty(host: "example.org", origin: "https://example.org:444", masterKey: masterKey))
        #expect(
            fault { () throws(PasskeyFault) in
                _ = try port.challenge(of: vector.assertion.clientData, "webauthn.get")
            } == .wrongOrigin)
        let other = try #require(
            RelyingParty(host: "www.example.org", origin: "https://example.org", masterKey: masterKey))
        #expect(
            fault { () throws(PasskeyFault) in _ = try other.counter(of: vector.assertion, signedBy: key) }
                == .wrongParty)
    }

    /// Sets the flags of a sound answer. The signature is over other ones then, so these faults come before it.
    @Test(
        arguments: [
            (0x04, .userNotPresent), (0x15, .wrongBackupFlags), (0x45, .malformed("")), (0x85, .malformed("")),
            (0x07, .wrongSignature),
        ] as [(UInt8, PasskeyFault)])
    func `flags that do not go together are refused`(flags: UInt8, expected: PasskeyFault) throws {
        let vector = try SpecificationVectors.vector("packed-es256")
        var data = vector.assertion.authenticatorData
        data[32] = flags
        let answer = PasskeyAssertion(
            clientData: vector.assertion.clientData, authenticatorData: data,
            signature: vector.assertion.signature, userHandle: [])
        let key = try SpecificationVectors.key(of: vector.registration)
        let found = fault(of: answer, by: key, vector.challenges.assertion)
        if case .malformed = expected {
            guard case .malformed = found else {
                Issue.record("\(String(describing: found))")
                return
            }
        } else {
            #expect(found == expected)
        }
    }

    // MARK: Challenges

    /// Client's data of a registration with a challenge, before an attestation that is none: a fault of the form says that the
    /// challenge was taken.
    private func fault(
        of challenge: [UInt8], to account: Int64 = 1, for holder: String = "browser", at now: WallTime,
        by party: RelyingParty? = nil
    ) -> PasskeyFault? {
        let text = Base64URL.encode(challenge)
        let client = #"{"type":"webauthn.create","challenge":"\#(text)","origin":"https://example.org"}"#
        return fault { () throws(PasskeyFault) in
            _ = try (party ?? self.party).verify(
                PasskeyRegistration(clientData: Array(client.utf8), attestation: []), of: AccountID(account),
                for: holder, at: now)
        }
    }

    @Test func `a challenge is taken for its purpose and its browser, within five minutes`() throws {
        let challenge = party.challenge(.addition(to: AccountID(1)), for: "browser", at: noon)
        let good = PasskeyFault.malformed("CBOR that ends too early")
        #expect(fault(of: challenge, at: noon) == good)
        #expect(fault(of: challenge, at: noon.advanced(by: .milliseconds(299_999))) == good)
        // The clock of another server may be behind.
        #expect(fault(of: challenge, at: noon.advanced(by: .seconds(-60))) == good)
        #expect(fault(of: challenge, at: noon.advanced(by: .seconds(300))) == .tooLate)
        #expect(fault(of: challenge, at: noon.advanced(by: .seconds(-61))) == .tooLate)
        #expect(fault(of: challenge, to: 2, at: noon) == .wrongChallenge)
        #expect(fault(of: challenge, for: "browser 2", at: noon) == .wrongChallenge)
        let signIn = party.challenge(.signIn, for: "browser", at: noon)
        #expect(fault(of: signIn, at: noon) == .wrongChallenge)
        for index in challenge.indices {
            var changed = challenge
            changed[index] ^= 0x80
            #expect(fault(of: changed, at: noon) == .wrongChallenge)
        }
        for count in 0..<challenge.count {
            #expect(fault(of: Array(challenge.prefix(count)), at: noon) == .wrongChallenge)
        }
        #expect(party.challenge(.signIn, for: "browser", at: noon) != signIn)
    }

    @Test func `servers with one master key take each other's challenges, and no other server does`() throws {
        func server(_ byte: UInt8) throws -> RelyingParty {
            try #require(
                RelyingParty(
                    host: "example.org", origin: "https://example.org",
                    masterKey: [UInt8](repeating: byte, count: 32)))
        }
        let challenge = try server(1).challenge(.addition(to: AccountID(1)), for: "browser", at: noon)
        #expect(try fault(of: challenge, at: noon, by: server(1)) != .wrongChallenge)
        #expect(try fault(of: challenge, at: noon, by: server(2)) == .wrongChallenge)
        #expect(try server(1).userHandle(of: AccountID(1)) == server(1).userHandle(of: AccountID(1)))
        #expect(try server(1).userHandle(of: AccountID(1)) != server(1).userHandle(of: AccountID(2)))
        #expect(try server(1).userHandle(of: AccountID(1)) != server(2).userHandle(of: AccountID(1)))
    }

    @Test(
        arguments: [
            ("trackme.example", true), ("localhost", true), ("127.0.0.1", false), ("[::1]", false), ("", false),
            ("trackme.", false),
        ])
    func `passkeys need a name of a host`(host: String, isName: Bool) {
        let party = RelyingParty(
            host: host, origin: "https://\(host)", masterKey: [UInt8](repeating: 7, count: 32))
        #expect((party != nil) == isName)
    }
}
