import Accounts
import ContractReading
import GatewayModel
import Parties
import Store
import StoreSamples
import TestSupport
import Testing

/// Rules of a company that the operator suspends or closes, for the houses with grants to it.
struct PartyEndTests {
    private let trial: PartyTrial
    private let noon = PartyTrial.noon

    init() throws { trial = try PartyTrial() }

    /// Queues what is owed, as the server does; returns the requests with their houses.
    private func withdraw(most: Int = 100, of trial: PartyTrial? = nil) async throws -> [String] {
        let sent = Recorder<String>()
        _ = try await (trial ?? self.trial).requests.withdrawOwed(at: noon, most: most) {
            request, subject, sequence in
            sent.add("\(request) \(subject.gateway) \(subject.person)")
            return .sample("withdrawal \(sequence)", about: request.text, at: noon, isWithdrawal: true)
        }
        return sent.values
    }

    private func commands() async throws -> [String] {
        try await trial.stores.links.due(at: noon, most: 100).compactMap {
            $0.isWithdrawal ? $0.request?.text : nil
        }
    }

    private func accept(_ request: String, entry: Int64, of party: PartyID = .clinic) throws {
        try trial.answer(request, .decided(.accepted, entry: entry, grant: entry), of: party)
    }

    private func request(_ id: String, of party: PartyID = .clinic) async throws -> PartyRequest {
        try #require(try await trial.requests.request(RequestID(id)!, of: party))
    }

    /// A company with a grant, an open question, a refused one, and a question to nobody; and another company with a grant.
    private func fill() async throws {
        for party in [PartyID.clinic, .study] { try await trial.approve(party) }
        try await trial.addPerson()
        for id in ["granted", "asked", "refused"] { _ = try await trial.ask(id) }
        _ = try await trial.ask("nobody", code: [9])
        _ = try await trial.ask("study", of: .study)
        try accept("granted", entry: 1)
        try trial.answer("refused", .decided(.refused, entry: 2, grant: nil))
        try accept("study", entry: 3, of: .study)
    }

    @Test func `a suspended company keeps its grants, and no house is told anything`() async throws {
        try await fill()
        try trial.receive("before", grant: 1)
        _ = try await trial.parties.change(.clinic, by: .suspend, as: "anna", at: noon)
        #expect(try await withdraw().isEmpty)
        #expect(try trial.receive("meanwhile", grant: 1) == .noParty)
        #expect(try await request("granted").state == .accepted)
        let seen = try await trial.requests.requests(about: .maria, most: 9)
        #expect(seen.first { $0.request.id.text == "granted" }?.partyState == .suspended)
        _ = try await trial.parties.change(.clinic, by: .approve, as: "anna", at: noon)
        try trial.receive("after", grant: 1)
        #expect(try await trial.read() == ["1 before", "2 after"])
    }

    @Test func `a closed company has each open request withdrawn, once, and no other company any`() async throws
    {
        try await fill()
        try trial.receive("before", grant: 1)
        _ = try await trial.parties.change(.clinic, by: .close, as: "anna", at: noon)
        #expect(try await trial.read().isEmpty, "handed out no more, before any command")
        #expect(try await withdraw() == ["granted house-12 maria", "asked house-12 maria"])
        #expect(try await commands() == ["granted", "asked"])
        #expect(try await withdraw().isEmpty)
        #expect(try await commands() == ["granted", "asked"])
        for id in ["granted", "asked", "nobody"] { #expect(try await request(id).state == .withdrawn, "\(id)") }
        #expect(try await request("refused").state == .refused)
        #expect(try await request("study", of: .study).state == .accepted)
        let seen = try await trial.requests.requests(about: .maria, most: 9)
        #expect(seen.first { $0.request.id.text == "granted" }?.partyState == .closed)
    }

    /// The operator's command and the server are two processes. Each step is one commit, so a kill lies between two of them.
    @Test func `a kill between the act and the commands, or among them, loses none and doubles none`()
        async throws
    {
        try await fill()
        _ = try await trial.parties.change(.clinic, by: .suspend, as: "anna", at: noon)
        _ = try await trial.parties.change(.clinic, by: .close, as: "anna", at: noon)
        // Killed within the commit of the second request.
        struct Killed: Error {}
        let tries = Recorder<RequestID>()
        await #expect(throws: Killed.self) {
            try await trial.requests.withdrawOwed(at: noon, most: 100) { request, _, sequence in
                tries.add(request)
                guard tries.values.count == 1 else { throw Killed() }
                return .sample("lost \(sequence)", about: request.text, at: noon, isWithdrawal: true)
            }
        }
        #expect(tries.values.count == 2)
        #expect(try await commands().isEmpty)
        #expect(try await request("granted").state == .accepted)
        // Another process on the same file, which is killed after each commit of one request.
        for id in ["granted", "asked"] {
            let next = try trial.reopened()
            #expect(try await withdraw(most: 1, of: next) == ["\(id) house-12 maria"])
        }
        let last = try trial.reopened()
        #expect(try await withdraw(most: 1, of: last).isEmpty, "the question to nobody has no house")
        #expect(try await withdraw(most: 1, of: last).isEmpty)
        #expect(try await commands() == ["granted", "asked"])
        #expect(try await request("nobody").state == .withdrawn)
    }

    @Test func `a yes at home after the end is withdrawn again, and opens nothing here`() async throws {
        try await fill()
        _ = try await trial.parties.change(.clinic, by: .close, as: "anna", at: noon)
        _ = try await withdraw()
        // The house refused to withdraw the question that nobody had answered, and then somebody says yes.
        try accept("asked", entry: 9)
        #expect(try await request("asked").state == .withdrawn)
        #expect(try trial.receive("late", grant: 9) == .noParty)
        #expect(try await withdraw() == ["asked house-12 maria"])
        #expect(try await withdraw().isEmpty)
        // The same receipt again, and that of the withdrawal.
        try accept("asked", entry: 9)
        try trial.answer("asked", .decided(.withdrawn, entry: 10, grant: 9))
        #expect(try await withdraw().isEmpty)
    }

    @Test func `a yes at home to a request that its person has ended is withdrawn as well`() async throws {
        try await fill()
        let maria = try #require(try await trial.stores.accounts.account(named: UserName("maria")!))
        #expect(
            try await trial.requests.close(RequestID("asked")!, about: .maria, by: maria.id, at: noon) { _ in
                .sample("end", about: "asked", at: noon)
            })
        #expect(try await withdraw().isEmpty)
        try accept("asked", entry: 9)
        #expect(try await withdraw() == ["asked house-12 maria"])
        #expect(try await request("asked").state == .withdrawn)
        #expect(try trial.receive("late", grant: 9) == .noGrant)
    }

    @Test func `a company that was closed while it asked asks nobody`() async throws {
        try await trial.approve()
        try await trial.addPerson()
        _ = try await trial.parties.change(.clinic, by: .close, as: "anna", at: noon)
        let before = try await trial.stores.links.openCommandCount()
        await #expect(throws: PartyFault.partyNotApproved) { try await trial.ask("late") }
        #expect(try await trial.stores.links.openCommandCount() == before)
    }
}
