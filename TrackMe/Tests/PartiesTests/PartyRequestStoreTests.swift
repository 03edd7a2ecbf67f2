import Accounts
import ContractReading
import GatewayModel
import Parties
import Store
import StoreSamples
import Testing

/// Rules of the requests of third parties in the store.
struct PartyRequestStoreTests {
    private let trial: PartyTrial
    private let noon = PartyTrial.noon

    init() throws { trial = try PartyTrial() }

    private func commands() async throws -> Int { try await trial.stores.links.openCommandCount() }

    @Test func `only the one linked person of a fiscal code is asked, and the party sees no difference`()
        async throws
    {
        try await trial.approve()
        try await trial.addPerson()
        let before = try await commands()
        let known = try await trial.ask("ask-1")
        #expect(try await commands() == before + 1)
        let unknown = try await trial.ask("ask-2", code: [9])
        #expect(try await commands() == before + 1)
        #expect(known.state == unknown.state)
        #expect(known.expires == unknown.expires)
        #expect(try await trial.requests.requests(of: .clinic, most: 9).map(\.id.text) == ["ask-2", "ask-1"])
        #expect(
            try await trial.requests.requests(about: .maria, most: 9).map(\.request.id.text) == ["ask-1"])
    }

    @Test func `without the yes at home, and after the end of the link, nobody is found`() async throws {
        try await trial.approve()
        let account = try await trial.stores.accounts.add(.sample("maria", at: noon))
        let link = try await trial.stores.link(account, to: .maria, as: "link-maria", at: noon)
        func asks(_ id: String) async throws -> Int {
            let before = try await commands()
            _ = try await trial.ask(id)
            return try await commands() - before
        }
        #expect(try await asks("ask-1") == 0, "nobody has asked for the code")
        let code = RequestID("code-1")!
        try await trial.stores.facts.ask(code, about: .fiscalCode, of: .maria, by: account, at: noon) { _ in
            .sample("code", about: "code-1", at: noon)
        }
        let fact = StoredFact(
            subject: .maria, value: .fiscalCode(lookUp: PartyTrial.code), request: code, time: noon)
        _ = try trial.stores.intake.keep([.fact(fact)], at: noon)
        #expect(try await asks("ask-2") == 0, "the copy came before the receipt of the yes")
        _ = try trial.stores.intake.keep([.decided("code-1", by: .maria, .accepted, entry: 2)], at: noon)
        #expect(try await asks("ask-3") == 1)
        _ = try await trial.stores.links.end(link, of: account, at: noon) { _, _ in
            .sample("end", about: "link-maria", at: noon)
        }
        #expect(try await asks("ask-4") == 0)
        #expect(try await trial.requests.requests(about: .maria, most: 9).map(\.request.id.text) == ["ask-3"])
    }

    @Test(arguments: ["withdrawn at home", "ended here", "gone from the profile"])
    func `a code that the house does not give any more finds nobody`(_ end: String) async throws {
        try await trial.approve()
        let (account, _) = try await trial.addPerson()
        let facts = trial.stores.facts
        switch end {
        case "withdrawn at home":
            _ = try trial.stores.intake.keep(
                [.decided("code-maria", by: .maria, .withdrawn, entry: 9)], at: noon)
        case "ended here":
            #expect(
                try await facts.end(.fiscalCode, of: .maria, by: account, at: noon) { request, _ in
                    .sample("end", about: request.text, at: noon, isWithdrawal: true)
                })
        default:
            let none = StoredFact(
                subject: .maria, value: .fiscalCode(lookUp: nil), request: RequestID("code-maria")!,
                time: noon.later(1))
            _ = try trial.stores.intake.keep([.fact(none)], at: noon)
        }
        let before = try await commands()
        _ = try await trial.ask("ask-1")
        #expect(try await commands() == before)
        let rows = try trial.file.allRows().filter { $0.hasPrefix("fact_sharing") }
        #expect(rows.count == 1 && !rows[0].contains("010203"), "the look-up value is gone: \(rows)")
    }

    @Test func `of two persons with one code the first is found alone, and both are named`() async throws {
        try await trial.approve()
        let (maria, _) = try await trial.addPerson("maria")
        // Another account of the same person, and another code, are no second person.
        try await trial.addPerson("anna")
        try await trial.addPerson("bruno", HousePerson(.init("house-14")!, .init("bruno")!), code: [9])
        #expect(try await trial.stores.facts.contestedCodes().isEmpty)
        try await trial.addPerson("zeno", .paolo)
        let contested = try await trial.stores.facts.contestedCodes()
        #expect(
            contested.map { $0.map(\.description) } == [
                ["maria of house-12 (anna, maria)", "paolo of house-13 (zeno)"]
            ])
        _ = try await trial.ask("ask-1")
        #expect(try await trial.requests.requests(about: .maria, most: 9).count == 1)
        #expect(try await trial.requests.requests(about: .paolo, most: 9).isEmpty)
        // The same code again does not make the first one the second.
        let again = StoredFact(
            subject: .maria, value: .fiscalCode(lookUp: PartyTrial.code), request: RequestID("code-maria")!,
            time: noon.later(60))
        _ = try trial.stores.intake.keep([.fact(again)], at: noon.later(60))
        #expect(try await trial.stores.facts.contestedCodes() == contested)
        _ = try await trial.stores.facts.end(.fiscalCode, of: .maria, by: maria, at: noon) { request, _ in
            .sample("end", about: request.text, at: noon, isWithdrawal: true)
        }
        #expect(try await trial.stores.facts.contestedCodes().isEmpty)
        _ = try await trial.ask("ask-2")
        #expect(try await trial.requests.requests(about: .paolo, most: 9).count == 1)
    }

    @Test func `two accounts of one person with her code are one person`() async throws {
        try await trial.approve()
        try await trial.addPerson()
        try await trial.addPerson("anna", .maria)
        _ = try await trial.ask("ask-1")
        #expect(try await trial.requests.requests(about: .maria, most: 9).count == 1)
    }

    @Test func `a request that comes again under its key is the same, and another one is refused`()
        async throws
    {
        try await trial.approve()
        try await trial.approve(.study)
        try await trial.addPerson()
        let first = try await trial.ask("ask-1", key: "k", digest: [1])
        let count = try await commands()
        #expect(try await trial.ask("ask-2", key: "k", digest: [1]) == first)
        #expect(try await commands() == count)
        await #expect(throws: PartyFault.idempotencyKeyUsed) {
            try await trial.ask("ask-3", key: "k", digest: [2])
        }
        #expect(try await trial.ask("ask-4", of: .study, key: "k", digest: [1]).id.text == "ask-4")
    }

    @Test func `a hundred requests a day are the limit, known or not, and a person is asked three times`()
        async throws
    {
        try await trial.approve()
        try await trial.addPerson()
        for number in 0..<5 { _ = try await trial.ask("ask-\(number)") }
        #expect(try await trial.requests.requests(about: .maria, most: 9).count == 3)
        for number in 5..<100 { _ = try await trial.ask("ask-\(number)", code: [9]) }
        await #expect(throws: PartyFault.tooManyRequests) { try await trial.ask("ask-100", code: [9]) }
        await #expect(throws: PartyFault.tooManyRequests) { try await trial.ask("ask-100") }
        _ = try await trial.ask("ask-101", at: noon.later(86_401))
    }

    @Test func `an answer counts if it is of the house, the person and the party of the request`()
        async throws
    {
        try await trial.approve()
        try await trial.approve(.study)
        try await trial.addPerson()
        _ = try await trial.ask("ask-1")
        let yes = RequestAnswer.decided(.accepted, entry: 4, grant: 4)
        try trial.answer("ask-1", yes, by: .paolo)
        try trial.answer("ask-1", yes, of: .study)
        try trial.answer("ask-2", yes)
        #expect(try await trial.requests.request(RequestID("ask-1")!, of: .clinic)?.state == .sent)
        try trial.answer("ask-1", yes, at: noon.later(9))
        let request = try #require(try await trial.requests.request(RequestID("ask-1")!, of: .clinic))
        #expect(request.state == .accepted)
        #expect(request.grant == 4)
        #expect(request.decided == noon.later(9))
        #expect(try await trial.requests.request(RequestID("ask-1")!, of: .study) == nil)
    }

    @Test func `the person ends a request here at once, and its house is told`() async throws {
        try await trial.approve()
        let (account, _) = try await trial.addPerson()
        _ = try await trial.ask("ask-1")
        try trial.answer("ask-1", .decided(.accepted, entry: 4, grant: 4))
        let id = RequestID("ask-1")!
        let (neighbour, _) = try await trial.addPerson("bruno", code: [9], role: .looks)
        let count = try await commands()
        func close(_ subject: HousePerson, by account: AccountID) async throws -> Bool {
            try await trial.requests.close(id, about: subject, by: account, at: noon) { _ in
                .sample("end", about: "ask-1", at: noon)
            }
        }
        await #expect(throws: StoreFault.notLinked) { try await close(.paolo, by: account) }
        await #expect(throws: StoreFault.notLinked) { try await close(.maria, by: neighbour) }
        #expect(try await trial.requests.request(id, of: .clinic)?.state == .accepted)
        #expect(try await close(.maria, by: account))
        #expect(try await !close(.maria, by: account))
        #expect(try await commands() == count + 1)
        try trial.answer("ask-1", .decided(.accepted, entry: 9, grant: 9))
        #expect(try await trial.requests.request(id, of: .clinic)?.state == .withdrawn)
    }

    @Test func `a request without an answer and one whose time is over expire`() async throws {
        try await trial.approve()
        try await trial.addPerson()
        _ = try await trial.ask("ask-1", code: [9])
        _ = try await trial.ask("ask-2", terms: .sample(until: noon.later(60)))
        try trial.answer("ask-2", .decided(.accepted, entry: 4, grant: 4))
        try await trial.requests.expireRequests(at: noon.later(59))
        #expect(try await trial.requests.requests(of: .clinic, most: 9).map(\.state) == [.accepted, .sent])
        try await trial.requests.expireRequests(at: noon.later(60))
        #expect(try await trial.requests.requests(of: .clinic, most: 9).map(\.state) == [.expired, .sent])
        try await trial.requests.expireRequests(at: noon.later(30 * 86_400))
        #expect(try await trial.requests.requests(of: .clinic, most: 9).map(\.state) == [.expired, .expired])
    }
}
