import Accounts
import Foundation
import GatewayModel
import Parties
import SQLDatabase
import Store
import StoreSamples
import Testing

/// Rules of the store of the parties.
struct PartyStoreTests {
    private let trial: PartyTrial
    private var parties: PartyStore { trial.parties }
    private let noon = PartyTrial.noon

    init() throws { trial = try PartyTrial() }

    @Test func `an application is kept with its key, and its ID is given once`() async throws {
        try await parties.add(.sample(.clinic))
        let party = try #require(try await parties.party(.clinic))
        #expect(party.state == .applied)
        #expect(party.vat.text == "IT00743110157")
        #expect(party.name == "Casa di cura clinic")
        #expect(party.contact.text == "it@clinic.example")
        #expect(party.keys.keys.map(\.thumbprint) == ["print of clinic"])
        await #expect(throws: PartyFault.partyTaken(.clinic)) { try await parties.add(.sample(.clinic)) }
        _ = try await parties.change(.clinic, by: .close, as: "root", at: noon)
        await #expect(throws: PartyFault.partyTaken(.clinic)) { try await parties.add(.sample(.clinic)) }
        #expect(try await parties.party(.study) == nil)
    }

    @Test func `a code that an account wrote is deleted, and finds nobody`() async throws {
        let schema = Stores.migrations + AuditLog.migrations + PartyStore.migrations
        let database = try TestDatabase(migrations: schema.filter { $0.name != "party-requests-4" })
        let old = try database.open()
        let stores = Stores(in: old)
        let maria = try await stores.accounts.add(.sample("maria", at: noon))
        let link = try await stores.link(maria, to: .maria, as: "link-maria", at: noon)
        try await old.write { db in
            try db.execute(
                sql:
                    "INSERT INTO fiscal_code (account, link, look_up, wrapped_key, box) VALUES (?, ?, ?, ?, ?)",
                arguments: [maria.number, link.number, Data(PartyTrial.code), Data([1]), Data([2])])
        }
        try old.close()
        let file = try database.open(migrations: schema)
        #expect(try !file.tables().contains("fiscal_code"))
        let found = try await file.read { db in try FiscalCodes.person(of: PartyTrial.code, db) }
        #expect(found == nil)
    }

    @Test func `each act of the operator is a line of the audit log, and an impossible one is none`()
        async throws
    {
        try await parties.add(.sample(.clinic))
        let approved = try await parties.change(.clinic, by: .approve, as: "anna", at: noon.later(1))
        #expect(approved?.state == .approved)
        #expect(approved?.changed == noon.later(1))
        await #expect(throws: PartyFault.actImpossible(.approved)) {
            try await parties.change(.clinic, by: .approve, as: "anna", at: noon)
        }
        _ = try await parties.change(.clinic, by: .suspend, as: "berta", at: noon.later(2))
        #expect(try await parties.change(.study, by: .approve, as: "anna", at: noon) == nil)
        #expect(
            try trial.audit(.clinic) == [
                "applied: IT00743110157, key print of clinic", "approve by anna", "suspend by berta",
            ])
    }

    @Test func `a key is exchanged, and the database holds to the rules of the set`() async throws {
        try await parties.add(.sample(.clinic))
        let next = PartyKey(id: "2", thumbprint: "next", jwk: "{}", added: noon.later(5))
        #expect(try await parties.addKey(next, to: .clinic)?.keys.map(\.id) == ["1", "2"])
        await #expect(throws: PartyKeySet.Fault.known) { try await parties.addKey(next, to: .clinic) }
        #expect(try await parties.endKey("1", of: .clinic, at: noon)?.keys.map(\.id) == ["2"])
        await #expect(throws: PartyKeySet.Fault.last) {
            try await parties.endKey("2", of: .clinic, at: noon)
        }
        #expect(try await parties.party(.clinic)?.keys.keys == [next])
        #expect(try await parties.addKey(next, to: .study) == nil)
    }

    @Test func `a flood of applications ends at the limit, until the operator has decided`() async throws {
        for number in 0..<200 { try await parties.add(.sample(PartyID("flood-\(number)")!)) }
        await #expect(throws: PartyFault.tooManyApplications) { try await parties.add(.sample(.clinic)) }
        _ = try await parties.change(PartyID("flood-7")!, by: .close, as: "anna", at: noon)
        try await parties.add(.sample(.clinic))
        #expect(try await parties.parties().count == 201)
    }
}
