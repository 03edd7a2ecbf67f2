import Consent
import ContractReading
import GatewayModel
import Parties
import Testing

/// Rules of the life of a party, of its keys and of its requests.
struct PartyTests {
    private let noon = WallTime(millisecondsSince1970: 1_772_366_400_000)

    private func later(_ days: Int64) -> WallTime {
        WallTime(millisecondsSince1970: noon.millisecondsSince1970 + days * 86_400_000)
    }

    private func key(_ id: String, _ thumbprint: String) -> PartyKey {
        PartyKey(id: id, thumbprint: thumbprint, jwk: "{}", added: noon)
    }

    private func request(until: WallTime? = nil) -> PartyRequest {
        PartyRequest(
            id: RequestID("ask-1")!, party: PartyID("clinic")!, purpose: "Study", kinds: ["heart-rate"],
            from: nil, until: until, asked: noon, expires: PartyRequest.expiry(asked: noon, until: until))
    }

    // MARK: Party

    @Test func `a party is approved, suspended, approved again and closed for ever`() {
        let possible: [PartyState: [PartyAct: PartyState]] = [
            .applied: [.approve: .approved, .close: .closed],
            .approved: [.suspend: .suspended, .close: .closed],
            .suspended: [.approve: .approved, .close: .closed],
            .closed: [:],
        ]
        for state in PartyState.allCases {
            for act in PartyAct.allCases {
                #expect(state.after(act) == possible[state]?[act], "\(act) of \(state)")
            }
        }
    }

    @Test func `the names of the server are no company's, and a name is one that a house shows`() throws {
        func application(_ id: String, name: String = "Clinic") -> NewParty? {
            NewParty(
                id: PartyID(id)!, vat: try! VATNumber("IT00743110157"), name: name,
                contact: PartyContact("it@clinic.example")!, key: key("1", "a"), applied: noon)
        }
        #expect(application("clinic") != nil)
        #expect(application("trackme-account") == nil)
        #expect(application("trackme") == nil)
        #expect(application("clinic", name: "") == nil)
        #expect(application("clinic", name: "Clinic\u{202E}") == nil)
        #expect(application("clinic", name: String(repeating: "a", count: 101)) == nil)
    }

    @Test func `a contact is one mail address`() {
        #expect(PartyContact("it@clinic.example") != nil)
        let long = String(repeating: "a", count: 250) + "@b.example"
        for text in [
            "", "it", "@clinic.example", "it@", "it@clinic", "a b@c.example", "a@b@c.example", long, "a\n@b.c",
        ] {
            #expect(PartyContact(text) == nil, "\(text)")
        }
    }

    // MARK: Keys

    @Test func `a key is exchanged without a moment without one`() throws {
        var keys = PartyKeySet([key("2026", "a")])
        #expect(throws: PartyKeySet.Fault.last) { try keys.end("2026") }
        try keys.add(key("2027", "b"))
        try keys.end("2026")
        #expect(keys.keys.map(\.id) == ["2027"])
        #expect(throws: PartyKeySet.Fault.unknown) { try keys.end("2026") }
    }

    @Test func `neither a kid nor a key comes twice, and four keys are enough`() throws {
        var keys = PartyKeySet([key("1", "a")])
        #expect(throws: PartyKeySet.Fault.known) { try keys.add(key("1", "b")) }
        #expect(throws: PartyKeySet.Fault.known) { try keys.add(key("2", "a")) }
        for number in 2...4 { try keys.add(key("\(number)", "thumbprint \(number)")) }
        #expect(throws: PartyKeySet.Fault.tooMany) { try keys.add(key("5", "e")) }
    }

    // MARK: Requests

    @Test func `the later entry of the ledger decides, in whichever order they come`() {
        var request = request()
        let changes = [
            request.apply(.decided(.accepted, entry: 4, grant: 4), at: noon),
            request.apply(.decided(.accepted, entry: 4, grant: 4), at: later(1)),
        ]
        #expect(changes == [true, false])
        #expect(request.state == .accepted)
        #expect(request.decided == noon)
        let further = [
            request.apply(.decided(.withdrawn, entry: 9, grant: 4), at: later(1)),
            request.apply(.decided(.accepted, entry: 7, grant: 7), at: later(2)),
        ]
        #expect(further == [true, false])
        #expect(request.state == .withdrawn)
    }

    @Test func `the end of a grant ends the request at once, and not a newer grant`() {
        var request = request()
        _ = request.apply(.decided(.accepted, entry: 4, grant: 4), at: noon)
        let isEnded = request.apply(.grantEnded(.withdrawn, grant: 4), at: later(1))
        #expect(isEnded)
        #expect(request.state == .withdrawn)
        let changes = [
            request.apply(.decided(.accepted, entry: 12, grant: 12), at: later(2)),
            request.apply(.grantEnded(.withdrawn, grant: 4), at: later(3)),
        ]
        #expect(changes == [true, false])
        #expect(request.state == .accepted)
        // The end overtakes its own decision.
        var other = self.request()
        let isOver = other.apply(.grantEnded(.expired, grant: 4), at: noon)
        #expect(isOver)
        #expect(other.state == .expired)
    }

    @Test func `a request that the person has ended here stays ended`() {
        var request = request()
        _ = request.apply(.decided(.accepted, entry: 4, grant: 4), at: noon)
        let changes = [
            request.close(at: later(1)), request.close(at: later(2)),
            request.apply(.decided(.refused, entry: 12, grant: nil), at: later(2)),
            request.apply(.grantEnded(.withdrawn, grant: 4), at: later(2)),
        ]
        #expect(changes == [true, false, false, false])
        #expect(request.state == .withdrawn && !request.owesWithdrawal)
    }

    @Test func `a yes at home after the end here owes the house one more withdrawal, and no more`() {
        var request = request()
        _ = request.apply(.decided(.accepted, entry: 4, grant: 4), at: noon)
        _ = request.close(at: later(1))
        let isOwed = [4, 12, 12].map { entry in
            request.apply(.decided(.accepted, entry: entry, grant: entry), at: later(2))
        }
        #expect(isOwed == [false, true, false])
        #expect(request.state == .withdrawn && request.isClosed && request.owesWithdrawal)
        #expect(request.grant == 12)
        request.withdrawAgain()
        let isOwedAgain = request.apply(.decided(.withdrawn, entry: 13, grant: 12), at: later(3))
        #expect(!isOwedAgain && !request.owesWithdrawal)
    }

    @Test func `without an answer a request expires after 30 days or at its end, an accepted one at its end`() {
        var silent = request()
        let silence = [silent.expire(at: later(29)), silent.expire(at: later(30))]
        #expect(silence == [false, true])
        #expect(silent.state == .expired)
        var short = request(until: later(3))
        let shortness = [short.expire(at: later(2)), short.expire(at: later(3))]
        #expect(shortness == [false, true])
        var accepted = request(until: later(90))
        _ = accepted.apply(.decided(.accepted, entry: 4, grant: 4), at: noon)
        let ends = [
            accepted.expire(at: later(89)), accepted.expire(at: later(90)), accepted.expire(at: later(91)),
        ]
        #expect(ends == [false, true, false])
        var open = request()
        _ = open.apply(.decided(.accepted, entry: 4, grant: 4), at: noon)
        let isOver = open.expire(at: later(9_000))
        #expect(!isOver)
    }

    @Test func `terms that a house would refuse are refused here`() throws {
        func terms(
            _ purpose: String = "Study", _ kinds: Set<DataKind> = [.quantity(.heartRate)],
            _ format: ReadingFormat = .samples, _ precision: LocationPrecision = .coarse,
            _ from: WallTime? = nil, _ until: WallTime? = nil
        ) throws(RequestTerms.Flaw) -> RequestTerms {
            try RequestTerms(
                purpose: purpose, kinds: kinds, format: format, precision: precision, from: from, until: until,
                now: noon)
        }
        _ = try terms()
        #expect(throws: RequestTerms.Flaw.purpose) { try terms("") }
        #expect(throws: RequestTerms.Flaw.purpose) { try terms(String(repeating: "a", count: 501)) }
        #expect(throws: RequestTerms.Flaw.kinds) { try terms("Study", []) }
        #expect(throws: RequestTerms.Flaw.format) { try terms("Study", [.location], .fhir) }
        #expect(throws: RequestTerms.Flaw.precision) {
            try terms("Study", [.quantity(.heartRate)], .samples, .exact)
        }
        #expect(throws: RequestTerms.Flaw.period) {
            try terms("Study", [.location], .samples, .coarse, later(2), later(1))
        }
        #expect(throws: RequestTerms.Flaw.past) {
            try terms("Study", [.location], .samples, .coarse, nil, noon)
        }
    }
}
