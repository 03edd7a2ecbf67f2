import ContractSamples
import Crypto
import Foundation
import GatewayModel
import ModelSamples
import Samples
import Testing

@testable import Consent
@testable import Contract
@testable import Sealing

/// Two persons of the same name in two houses, with the same number of the grant, for one third party.
@Suite struct `Copies of two patients` {
    private let key = Curve25519.KeyAgreement.PrivateKey()
    private let houses = ["house-12", "house-13"].map { Topics(gateway: GatewayID(sample: $0)) }
    private let requests = ["ask-one", "ask-two"]

    private func grant(_ index: Int, _ kind: DataKind, _ format: ReadingFormat, isSealed: Bool) throws -> Grant
    {
        let id = try #require(KeyID("k"))
        let key = ThirdParty.SealingKey(id: id, bytes: Array(key.publicKey.rawRepresentation))
        let party = try #require(
            ThirdParty(id: PartyID(sample: "clinic"), name: "Clinic", sealingKey: isSealed ? key : nil))
        let request = try ConsentSample.request(requests[index], by: party, data: [kind], as: format)
        return Grant(request, to: party, epoch: LedgerSequence(5), since: Sample.moment(0).wall)
    }

    private func copies(_ index: Int, _ format: ReadingFormat = .samples, isSealed: Bool = false) throws
        -> [Envelope]
    {
        let topics = houses[index]
        let heart = try grant(index, .quantity(.heartRate), format, isSealed: isSealed)
        let single = Envelope.share(Shared(Sample.reading(1), by: heart), id: Sample.id(1), topics: topics)
        let other = Envelope.share(Shared(Sample.reading(2), by: heart), id: Sample.id(2), topics: topics)
        #expect(single.isGatherable(with: other))
        let made = [single, try #require(Envelope.gathered([single, other]))]
        guard isSealed else { return made }
        let key = try #require(heart.party.sealingKey)
        return try made.map { envelope in
            try #require(envelope.sealed(to: key, answering: heart.request.id, by: HPKESealer()))
        }
    }

    private func json(_ payload: [UInt8]) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any])
    }

    @Test func `in clear name the request`() throws {
        for index in 0...1 {
            for copy in try copies(index) {
                let json = try json(copy.payload)
                #expect(json["request"] as? String == requests[index])
                #expect(json["grant"] as? Int == 5 && json["person"] as? String == "maria")
            }
        }
    }

    @Test func `as FHIR name house and person as subject, and the request`() throws {
        for (index, house) in ["house-12", "house-13"].enumerated() {
            for copy in try copies(index, .fhir) {
                let json = try json(copy.payload)
                let entries = json["entry"] as? [[String: Any]]
                for observation in entries.map({ $0.compactMap { $0["resource"] as? [String: Any] } }) ?? [json]
                {
                    let subject = try #require(observation["subject"] as? [String: Any])
                    #expect(subject["reference"] as? String == "Patient/\(house).maria")
                    #expect((subject["identifier"] as? [String: String])?["value"] == "\(house)/maria")
                    let request = (observation["basedOn"] as? [[String: Any]])?.first
                    #expect((request?["identifier"] as? [String: String])?["value"] == requests[index])
                }
            }
        }
    }

    @Test func `as FHIR have no id that is longer than FHIR allows`() throws {
        let (house, person) = (String(repeating: "h", count: 32), String(repeating: "p", count: 32))
        let long = FHIR.Reference(to: PersonID(sample: person), in: GatewayID(sample: house))
        #expect(long.reference == nil && long.identifier?.value == "\(house)/\(person)")
        let fitting = FHIR.Reference(
            to: PersonID(sample: String(person.dropLast())), in: GatewayID(sample: house))
        #expect(fitting.reference?.count == "Patient/".count + 64)
    }

    @Test func `sealed name the request outside and inside`() throws {
        for format in [ReadingFormat.samples, .fhir] {
            for index in 0...1 {
                for copy in try copies(index, format, isSealed: true) {
                    let json = try json(copy.payload)
                    #expect(json["request"] as? String == requests[index])
                    let id = try #require(json["id"] as? String)
                    let info = ["trackme-sealed-v1", copy.topic, "k", id].joined(separator: "\n")
                    let sealed = try #require((json["sealed"] as? String).flatMap { Base64URL.decode($0) })
                    var recipient = try HPKE.Recipient(
                        privateKey: key, ciphersuite: HPKESealer.suite, info: Data(info.utf8),
                        encapsulatedKey: Data(sealed.prefix(32)))
                    let plain = try recipient.open(Data(sealed.dropFirst(32)))
                    #expect(String(decoding: plain, as: UTF8.self).contains(requests[index]))
                }
            }
        }
    }
}
