import Consent
import GatewayModel
import ModelSamples
import Samples
import Testing

@Suite struct `The consent ledger` {
    private typealias Refusal = ConsentLedger.Refusal

    private func ledger(acceptedBy persons: PersonID...) throws -> ConsentLedger {
        var ledger = ConsentLedger(persons: [ConsentSample.maria, ConsentSample.paolo])
        for person in persons { try ledger.take(.policy(.dataPolicy, .accepted), for: person) }
        return ledger
    }

    private func refusal(_ body: () throws -> Void) -> Refusal? {
        do {
            try body()
            return nil
        } catch {
            return error as? Refusal
        }
    }

    @Test func `numbers its entries from 1 on, the consequences of a decision as entries of their own`() throws
    {
        var ledger = try ledger(acceptedBy: ConsentSample.maria)
        try ledger.take(.policy(.automatedSOS, .accepted))
        try ledger.take(.requested(ConsentSample.request("r1")))
        try ledger.take(.requested(ConsentSample.request("r2", by: ConsentSample.party(ConsentSample.study))))
        try ledger.take(.granted(ConsentSample.id("r2")))
        try ledger.take(.granted(ConsentSample.id("r1")))
        let ended = try ledger.take(.policy(.dataPolicy, .withdrawn))
        #expect(
            ended == [
                .withdrawn(ConsentSample.id("r2")), .withdrawn(ConsentSample.id("r1")),
                .policy(.automatedSOS, .withdrawn), .policy(.dataPolicy, .withdrawn),
            ])
        #expect(ledger.entries.map(\.sequence.number) == Array(1...10))
        #expect(ledger.grants(of: ConsentSample.maria).isEmpty)
    }

    @Test func `is the same again when its entries are replayed`() throws {
        var ledger = try ledger(acceptedBy: ConsentSample.maria, ConsentSample.paolo)
        let sealed = ConsentSample.party(sealing: ConsentSample.key(1), isSigning: true)
        try ledger.take(.requested(ConsentSample.request("r1", by: sealed, until: 100)))
        try ledger.take(
            .requested(ConsentSample.request("r2", of: ConsentSample.paolo)), for: ConsentSample.paolo)
        try ledger.take(.granted(ConsentSample.id("r1")), at: 5)
        try ledger.take(.partyKeyChanged(ConsentSample.clinic, ConsentSample.key(2)))
        try ledger.take(.refused(ConsentSample.id("r2")), for: ConsentSample.paolo)
        var again = ConsentLedger(persons: [ConsentSample.maria, ConsentSample.paolo])
        for entry in ledger.entries { again.replay(entry) }
        #expect(again.entries == ledger.entries)
        #expect(again.requests == ledger.requests)
        #expect(again.grants(of: ConsentSample.maria) == ledger.grants(of: ConsentSample.maria))
        #expect(again.grants(of: ConsentSample.maria).map(\.party.sealingKey) == [ConsentSample.key(2)])
    }

    @Test func `takes a question without any policy, and a grant only with it`() throws {
        var ledger = try ledger()
        try ledger.take(.requested(ConsentSample.request()))
        #expect(
            refusal { try ledger.take(.granted(ConsentSample.id("r1"))) }
                == .dataPolicyFirst(ConsentSample.maria))
        try ledger.take(.policy(.dataPolicy, .accepted))
        #expect(try ledger.take(.granted(ConsentSample.id("r1"))) == [.granted(ConsentSample.id("r1"))])
    }

    @Test func `takes the same question twice as one, and another under its id not at all`() throws {
        var ledger = try ledger(acceptedBy: ConsentSample.maria)
        try ledger.take(.requested(ConsentSample.request()))
        #expect(try ledger.take(.requested(ConsentSample.request()), at: 9).isEmpty)
        let others = [
            try ConsentSample.request(for: [.glucose]), try ConsentSample.request(purpose: "Selling it"),
            try ConsentSample.request(by: ConsentSample.party(ConsentSample.study)),
            try ConsentSample.request(by: ConsentSample.party(sealing: ConsentSample.key(1))),
            try ConsentSample.request(until: 9), try ConsentSample.request(of: ConsentSample.paolo),
        ]
        for other in others {
            #expect(
                refusal { try ledger.take(.requested(other), for: other.person) }
                    == .requestDiffers(ConsentSample.id("r1")))
        }
        #expect(ledger.entries.count == 2)
    }

    @Test func `links several accounts, each by its own request, and discloses nothing by them`() throws {
        var ledger = try ledger(acceptedBy: ConsentSample.maria)
        let names = ["anna at trackme.example", "paolo at trackme.example"]
        for (id, name) in zip(["link-1", "link-2"], names) {
            let party = try #require(ThirdParty(id: .accounts, name: name))
            try ledger.take(.requested(ConsentSample.request(id, by: party, for: [])))
            try ledger.take(.granted(ConsentSample.id(id)))
        }
        #expect(ledger.grants(of: ConsentSample.maria).map(\.party.name).sorted() == names)
        #expect(ledger.grants(of: ConsentSample.maria).allSatisfy { $0.request.kinds.isEmpty })
        try ledger.take(.withdrawn(ConsentSample.id("link-1")))
        #expect(ledger.grants(of: ConsentSample.maria).map(\.party.name) == [names[1]])
    }

    @Test func `knows no request of another person`() throws {
        var ledger = try ledger(acceptedBy: ConsentSample.maria, ConsentSample.paolo)
        try ledger.take(.requested(ConsentSample.request()))
        let id = ConsentSample.id("r1")
        for act in [ConsentAct.granted(id), .refused(id), .withdrawn(id), .expired(id)] {
            #expect(refusal { try ledger.take(act, for: ConsentSample.paolo) } == .unknownRequest(id))
        }
        #expect(
            refusal { try ledger.take(.requested(ConsentSample.request("r9")), for: ConsentSample.paolo) }
                == .unknownPerson(ConsentSample.maria))
    }

    @Test func `lets a person change their mind about what was refused or withdrawn, under another epoch`()
        throws
    {
        var ledger = try ledger(acceptedBy: ConsentSample.maria)
        let id = ConsentSample.id("r1")
        try ledger.take(.requested(ConsentSample.request()))
        #expect(refusal { try ledger.take(.withdrawn(id)) } == .requestNotGranted(id))
        try ledger.take(.refused(id))
        #expect(try ledger.take(.refused(id)).isEmpty)
        try ledger.take(.granted(id))
        #expect(try ledger.take(.granted(id)).isEmpty)
        let first = try #require(ledger.grants(of: ConsentSample.maria).first).epoch
        #expect(refusal { try ledger.take(.refused(id)) } == .requestGranted(id))
        try ledger.take(.withdrawn(id))
        #expect(try ledger.take(.withdrawn(id)).isEmpty)
        try ledger.take(.granted(id))
        let second = try #require(ledger.grants(of: ConsentSample.maria).first).epoch
        #expect(first < second)
        #expect(ledger.grant(first) == nil && ledger.grant(second) != nil)
    }

    @Test func `lets no grant outlive its time, nor begin after it`() throws {
        var ledger = try ledger(acceptedBy: ConsentSample.maria)
        let id = ConsentSample.id("r1")
        #expect(
            refusal { try ledger.take(.requested(ConsentSample.request("r0", until: 10)), at: 10) }
                == .requestOver(ConsentSample.id("r0")))
        try ledger.take(.requested(ConsentSample.request(until: 10)))
        #expect(refusal { try ledger.take(.granted(id), at: 10) } == .requestOver(id))
        try ledger.take(.granted(id), at: 9)
        #expect(ledger.due(at: ConsentSample.wall(9)).isEmpty)
        #expect(ledger.due(at: ConsentSample.wall(10)).map(\.request.id) == [id])
        try ledger.take(.expired(id), by: "homegateway", means: .gateway, at: 10)
        #expect(ledger.due(at: ConsentSample.wall(10)).isEmpty)
        // The clock was set back: over is over.
        #expect(refusal { try ledger.take(.granted(id), at: 0) } == .requestOver(id))
    }

    @Test func `holds a party to the name and the keys it was granted under`() throws {
        var ledger = try ledger(acceptedBy: ConsentSample.maria)
        let known = ConsentSample.party(sealing: ConsentSample.key(1))
        let taker = ConsentSample.party(sealing: ConsentSample.key(2))
        try ledger.take(.requested(ConsentSample.request("r1", by: known)))
        try ledger.take(.requested(ConsentSample.request("r2", by: taker)))
        try ledger.take(.granted(ConsentSample.id("r1")))
        #expect(
            refusal { try ledger.take(.granted(ConsentSample.id("r2"))) } == .partyDiffers(ConsentSample.clinic)
        )
        #expect(
            refusal { try ledger.take(.requested(ConsentSample.request("r3", by: taker))) }
                == .partyDiffers(ConsentSample.clinic))
        // When nothing is granted to it any more, the person sees who asks, and decides anew.
        try ledger.take(.withdrawn(ConsentSample.id("r1")))
        try ledger.take(.granted(ConsentSample.id("r2")))
    }

    @Test func `changes a party's key where it named one that vouches for it, for what it is granted`() throws {
        var ledger = try ledger(acceptedBy: ConsentSample.maria)
        let change = ConsentAct.partyKeyChanged(ConsentSample.clinic, ConsentSample.key(2))
        #expect(refusal { try ledger.take(change) } == .unknownParty(ConsentSample.clinic))
        let fixed = ConsentSample.party(sealing: ConsentSample.key(1))
        try ledger.take(.requested(ConsentSample.request("r1", by: fixed)))
        try ledger.take(.granted(ConsentSample.id("r1")))
        #expect(refusal { try ledger.take(change) } == .partyKeyFixed(ConsentSample.clinic))
        try ledger.take(.withdrawn(ConsentSample.id("r1")))
        let signing = ConsentSample.party(sealing: ConsentSample.key(1), isSigning: true)
        try ledger.take(.requested(ConsentSample.request("r2", by: signing)))
        try ledger.take(.granted(ConsentSample.id("r2")))
        let before = try #require(ledger.grants(of: ConsentSample.maria).first)
        #expect(try ledger.take(change) == [change])
        #expect(try ledger.take(change).isEmpty)
        let after = try #require(ledger.grants(of: ConsentSample.maria).first)
        #expect(after.party.sealingKey == ConsentSample.key(2) && after.epoch == before.epoch)
        // Granted again, the old key does not come back.
        try ledger.take(.withdrawn(ConsentSample.id("r2")))
        try ledger.take(.granted(ConsentSample.id("r2")))
        #expect(ledger.grants(of: ConsentSample.maria).map(\.party.sealingKey) == [ConsentSample.key(2)])
    }

    @Test func `takes no more questions than somebody can read`() throws {
        var ledger = try ledger(acceptedBy: ConsentSample.maria)
        for number in 1...ConsentLedger.mostPending {
            try ledger.take(.requested(ConsentSample.request("r\(number)")))
        }
        #expect(
            refusal { try ledger.take(.requested(ConsentSample.request("one-more"))) }
                == .tooManyRequests(ConsentSample.maria))
        try ledger.take(.refused(ConsentSample.id("r1")))
        try ledger.take(.requested(ConsentSample.request("one-more")))
    }

    @Test func `a refused decision leaves it as it was`() throws {
        var ledger = try ledger(acceptedBy: ConsentSample.maria)
        let before = ledger.entries
        let stranger = PersonID(sample: "anna")
        #expect(
            refusal { try ledger.take(.policy(.dataPolicy, .accepted), for: stranger) }
                == .unknownPerson(stranger))
        #expect(refusal { try ledger.take(.granted(ConsentSample.id("r1"))) } != nil)
        #expect(ledger.entries == before)
    }

    @Test func `speaks of nobody who has moved out`() throws {
        var ledger = try ledger(acceptedBy: ConsentSample.maria)
        try ledger.take(.requested(ConsentSample.request(until: 10)))
        try ledger.take(.granted(ConsentSample.id("r1")))
        var later = ConsentLedger(persons: [ConsentSample.paolo])
        for entry in ledger.entries { later.replay(entry) }
        #expect(!later.holds(.dataPolicy, for: ConsentSample.maria) && !later.isAnythingAccepted)
        #expect(later.due(at: ConsentSample.wall(99)).isEmpty)
        #expect(later.wasAnythingAccepted, "others have been told of this house")
    }
}
