import Consent
import GatewayModel
import Samples
import Testing

@Suite struct `A data request` {
    @Test func `has a purpose that a person can read, and no tricks in it`() throws {
        for purpose in ["Care", "Perché sì", "心臓", String(repeating: "a", count: 500)] {
            #expect(try ConsentSample.request(purpose: purpose).purpose == purpose)
        }
        let tricks = [
            "", "   ", String(repeating: "a", count: 501), "two\nlines", "a\u{1B}[2Jb", "a\u{202E}b",
            "a\u{200B}b",
            "a\u{2028}b", "a\u{0}b", "e" + String(repeating: "\u{301}", count: 3_000),
        ]
        for purpose in tricks {
            #expect(throws: DataRequest.Flaw.purpose) { try ConsentSample.request(purpose: purpose) }
        }
    }

    @Test func `asks for something, in a time that has a length`() {
        #expect(throws: DataRequest.Flaw.kinds) { try ConsentSample.request(for: []) }
        #expect(throws: DataRequest.Flaw.period) { try ConsentSample.request(from: 5, until: 5) }
        #expect(throws: DataRequest.Flaw.period) { try ConsentSample.request(from: 6, until: 5) }
        #expect(throws: Never.self) { try ConsentSample.request(from: 5, until: 6) }
    }

    @Test func `links an account without any kind or key, and only of the reserved party`() throws {
        func account(
            _ kinds: Set<QuantityKind> = [], sealing: ThirdParty.SealingKey? = nil, isSigning: Bool = false
        )
            throws -> DataRequest
        {
            try ConsentSample.request(
                by: ConsentSample.party(.accounts, sealing: sealing, isSigning: isSigning), for: kinds)
        }
        #expect(try account().linksAccount)
        #expect(try !ConsentSample.request().linksAccount)
        #expect(throws: DataRequest.Flaw.account) { try account([.heartRate]) }
        #expect(throws: DataRequest.Flaw.account) { try account(sealing: ConsentSample.key(1)) }
        #expect(throws: DataRequest.Flaw.account) { try account(isSigning: true) }
        #expect(throws: DataRequest.Flaw.role) { try ConsentSample.request(role: .acts) }
    }

    @Test func `asks for FHIR of readings alone, and for an exact place with the place`() throws {
        #expect(throws: DataRequest.Flaw.format) {
            try ConsentSample.request(data: [.quantity(.heartRate), .location], as: .fhir)
        }
        #expect(throws: DataRequest.Flaw.precision) {
            try ConsentSample.request(data: [.quantity(.heartRate)], precision: .exact)
        }
        let request = try ConsentSample.request(data: [.location, .profile(.height)], precision: .exact)
        #expect(request.precision == .exact)
    }

    @Test func `comes from a party with a name and keys of the right length`() {
        #expect(ThirdParty(id: ConsentSample.clinic, name: "") == nil)
        #expect(ThirdParty(id: ConsentSample.clinic, name: "a\tb") == nil)
        #expect(ThirdParty(id: ConsentSample.clinic, name: String(repeating: "a", count: 101)) == nil)
        for count in [0, 31, 33] {
            let bytes = [UInt8](repeating: 1, count: count)
            #expect(ThirdParty.SigningKey(bytes: bytes) == nil)
            #expect(ThirdParty.SealingKey(id: KeyID("k")!, bytes: bytes) == nil)
        }
        for text in ["", "a b", "a/b", "é", String(repeating: "a", count: 65), "a\n"] {
            #expect(KeyID(text) == nil, "\(text)")
        }
        #expect(KeyID("NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")?.text.count == 43)
    }
}
