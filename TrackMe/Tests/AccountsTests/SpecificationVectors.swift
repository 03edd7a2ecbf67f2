import Foundation
import Testing

@testable import Accounts

/// Examples of the specification: answers to a server at `https://example.org`. The file names its source.
enum SpecificationVectors {
    struct Vector {
        let section: String
        let registration: PasskeyRegistration
        let assertion: PasskeyAssertion
        let challenges: (registration: [UInt8], assertion: [UInt8])
        let id: [UInt8]
    }

    private struct File: Decodable {
        struct Vector: Decodable {
            struct Registration: Decodable { let challenge, clientData, attestation: String }
            struct Assertion: Decodable { let challenge, clientData, authenticatorData, signature: String }

            let section: String
            let registration: Registration
            let assertion: Assertion
            let id: String
        }

        let vectors: [Vector]
    }

    static let party = RelyingParty(
        host: "example.org", origin: "https://example.org", masterKey: [UInt8](repeating: 7, count: 32))!

    static func all() throws -> [Vector] {
        let place = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "webauthn-vectors.json")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(File.self, from: Data(contentsOf: place)).vectors.map { vector in
            let (registration, assertion) = (vector.registration, vector.assertion)
            return Vector(
                section: vector.section,
                registration: PasskeyRegistration(
                    clientData: bytes(registration.clientData), attestation: bytes(registration.attestation)),
                assertion: PasskeyAssertion(
                    clientData: bytes(assertion.clientData),
                    authenticatorData: bytes(assertion.authenticatorData),
                    signature: bytes(assertion.signature), userHandle: []),
                challenges: (bytes(registration.challenge), bytes(assertion.challenge)), id: bytes(vector.id))
        }
    }

    static func vector(_ section: String) throws -> Vector {
        try #require(try all().first { $0.section == section })
    }

    static func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    /// Key in a registration, whether or not the device checked its user.
    static func key(of registration: PasskeyRegistration) throws -> PasskeyKey {
        let data = try #require(try CBORReader.item(of: registration.attestation)[.text("authData")]?.bytes)
        return try PasskeyKey(try #require(try AuthenticatorData(data).credential).key)
    }
}
