import ContractReading
import GatewayModel
import Parties
import SQLDatabase
import Store
import StoreSamples
import Testing

/// Rules of the logs of the copies: a party gets what a house addressed to it under an accepted request, and nothing
/// else.
struct SharedStoreTests {
    private let trial: PartyTrial
    private let noon = PartyTrial.noon
    private let yes = RequestAnswer.decided(.accepted, entry: 4, grant: 4)

    init() async throws {
        trial = try PartyTrial()
        try await trial.approve()
        try await trial.approve(.study)
        try await trial.addPerson()
        _ = try await trial.ask("ask-1")
    }

    @Test func `copies come in their order, byte for byte, and each once`() async throws {
        try trial.answer("ask-1", yes)
        let id = MessageID.sample(1, at: noon)
        #expect(try trial.receive("one", id: id) == nil)
        #expect(try trial.receive("one again", id: id) == nil)
        #expect(try trial.receive("two") == nil)
        #expect(try trial.receive("two") == nil)
        #expect(try trial.receive("\u{0}three\u{FFFD}", grant: 4) == nil)
        #expect(try await trial.read() == ["1 one", "2 two", "3 \u{0}three\u{FFFD}"])
        #expect(try await trial.read(after: 1, most: 1) == ["2 two"])
        #expect(try await trial.read(after: 3) == [])
        #expect(try await trial.read(bytes: 4) == ["1 one", "2 two"])
        #expect(try await trial.read(.study) == [])
    }

    @Test func `copies that nobody asked for are not kept`() throws {
        try trial.answer("ask-1", yes)
        #expect(try trial.receive("other kind", kind: "weight") == .noGrant)
        #expect(try trial.receive("other person", of: .paolo) == .noGrant)
        #expect(try trial.receive("party without a request", for: .study) == .noGrant)
        #expect(try trial.receive("unknown party", for: PartyID("nobody")!) == .noParty)
        #expect(try trial.receive("earlier grant", grant: 3) == .noGrant)
        let rows = try trial.file.readBlocking { try Int.fetchOne($0, sql: "SELECT count(*) FROM shared") }
        #expect(rows == 0)
    }

    @Test func `a suspended party gets nothing, and nothing of that time later`() async throws {
        try trial.answer("ask-1", yes)
        _ = try await trial.parties.change(.clinic, by: .suspend, as: "anna", at: noon)
        #expect(try trial.receive("one") == .noParty)
        _ = try await trial.parties.change(.clinic, by: .approve, as: "anna", at: noon)
        #expect(try await trial.read() == [])
        #expect(try trial.receive("two") == nil)
        #expect(try await trial.read() == ["1 two"])
    }

    @Test func `after the end of the grant nothing is handed out, of before either, and nothing more is kept`()
        async throws
    {
        try trial.answer("ask-1", yes)
        try trial.receive("one", id: .sample(1, at: noon))
        try trial.receive("two", grant: 4)
        try trial.answer("ask-1", .grantEnded(.withdrawn, grant: 4))
        #expect(try await trial.read() == [])
        #expect(try trial.receive("late", grant: 4) == .noGrant)
        #expect(try trial.receive("late and sealed") == .noGrant)
        let left = try trial.file.readBlocking {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM shared WHERE payload IS NOT NULL")
        }
        #expect(left == 0)
        // A new yes brings nothing of the earlier grant back.
        _ = try await trial.ask("ask-2")
        #expect(try trial.receive("late and sealed, again", id: .sample(1, at: noon)) == nil)
        try trial.answer("ask-2", .decided(.accepted, entry: 9, grant: 9), at: noon.later(300))
        #expect(try trial.receive("late with its number", grant: 4) == .noGrant)
        #expect(try trial.receive("new", grant: 9, at: noon.later(301)) == nil)
        #expect(try await trial.read(at: noon.later(301)) == ["3 new"])
    }

    @Test func `copies before the receipt of the yes wait for it, and a no erases them`() async throws {
        #expect(try trial.receive("one", grant: 4) == nil)
        #expect(try trial.receive("two") == nil)
        #expect(try await trial.read() == [])
        try trial.answer("ask-1", yes, at: noon.later(5))
        try trial.receive("three", grant: 4)
        #expect(try await trial.read() == ["1 one", "2 two", "3 three"])

        _ = try await trial.ask("ask-2", of: .study)
        #expect(try trial.receive("secret", for: .study) == nil)
        try trial.answer("ask-2", .decided(.refused, entry: 5, grant: nil), of: .study)
        #expect(try await trial.read(.study) == [])
    }

    @Test func `a copy long before the yes is of another time, and is erased`() async throws {
        #expect(try trial.receive("old") == nil)
        try trial.answer("ask-1", yes, at: noon.later(61))
        #expect(try await trial.read(at: noon.later(61)) == [])
        #expect(try trial.receive("new", at: noon.later(61)) == nil)
        #expect(try await trial.read(at: noon.later(61)) == ["1 new"])
    }

    @Test func `held copies have a bound`() throws {
        for number in 0..<1_000 { #expect(try trial.receive("\(number)") == nil) }
        #expect(try trial.receive("one more") == .noGrant)
    }

    @Test func `an accepted request gives nothing after its own end, before any receipt comes`() async throws {
        _ = try await trial.ask("ask-2", of: .study, terms: .sample(until: noon.later(60)))
        try trial.answer("ask-2", .decided(.accepted, entry: 5, grant: 5), of: .study)
        try trial.receive("one", for: .study)
        #expect(try await trial.read(.study, at: noon.later(59)) == ["1 one"])
        #expect(try await trial.read(.study, at: noon.later(60)) == [])
    }

    @Test func `the person sees the number of messages that the party has read, and the time`() async throws {
        try trial.answer("ask-1", yes)
        for text in ["one", "two", "three"] { try trial.receive(text) }
        let before = try #require(try await trial.requests.requests(about: .maria, most: 9).first)
        #expect((before.read, before.lastRead) == (0, nil))
        #expect(before.partyName == "Casa di cura clinic")
        _ = try await trial.read(most: 2, at: noon.later(5))
        _ = try await trial.read(after: 3, at: noon.later(7))
        let after = try #require(try await trial.requests.requests(about: .maria, most: 9).first)
        #expect((after.read, after.lastRead) == (2, noon.later(5)))
    }

    @Test func `copies that nobody has read are erased after their time, and numbers are not used again`()
        async throws
    {
        try trial.answer("ask-1", yes)
        try trial.receive("one")
        try await erase(at: noon.later(30 * 86_400))
        #expect(try await trial.read() == ["1 one"])
        try await erase(at: noon.later(30 * 86_400 + 1))
        #expect(try await trial.read() == [])
        try trial.receive("two", at: noon.later(2))
        #expect(try await trial.read() == ["2 two"])
        // The row of the first copy goes after 60 days more, and its number with it.
        try await erase(at: noon.later(90 * 86_400 + 1))
        #expect(try rows() == 1)
        try trial.receive("three", at: noon.later(60 * 86_400 + 2))
        #expect(try await trial.read() == ["3 three"])
    }

    private func erase(at time: WallTime) async throws {
        try await trial.shared.eraseShared(
            below: SharedRetention(life: .seconds(30 * 86_400)).limits(at: time))
    }

    @Test func `the life of a copy counts from its measurement, and a late one waits four days at least`()
        async throws
    {
        let day = 86_400
        try trial.answer("ask-1", yes)
        // The house was away: two weeks, and five weeks.
        try trial.receive("two weeks", measured: noon.later(-14 * day))
        try trial.receive("five weeks", measured: noon.later(-35 * day))
        // Its clock is a year ahead.
        try trial.receive("from the future", measured: noon.later(365 * day))
        try await erase(at: noon.later(4 * day))
        #expect(try await trial.read() == ["1 two weeks", "2 five weeks", "3 from the future"])
        try await erase(at: noon.later(4 * day + 1))
        #expect(try await trial.read() == ["1 two weeks", "3 from the future"])
        try await erase(at: noon.later(16 * day))
        #expect(try await trial.read() == ["1 two weeks", "3 from the future"])
        try await erase(at: noon.later(16 * day + 1))
        #expect(try await trial.read() == ["3 from the future"])
        try await erase(at: noon.later(30 * day + 1))
        #expect(try await trial.read() == [])
    }

    @Test func `a late copy outlives the retries of a webhook, and no copy outlives the setting`() {
        let retries = Subscription.waits.reduce(Duration.zero, +)
        // Ten attempts of 15 seconds, and a tenth of each wait.
        #expect(SharedRetention.lateLife > retries * 1.1 + .seconds(150))
        let limits = SharedRetention(life: .seconds(86_400)).limits(at: noon)
        #expect(limits == SharedRetention.Limits(measured: noon.later(-86_400), received: noon.later(-86_400)))
    }

    private func rows() throws -> Int {
        try trial.file.readBlocking { try Int.fetchOne($0, sql: "SELECT count(*) FROM shared") } ?? 0
    }

    @Test func `closing a party erases its copies`() async throws {
        try trial.answer("ask-1", yes)
        try trial.receive("one")
        _ = try await trial.parties.change(.clinic, by: .close, as: "anna", at: noon)
        #expect(try await trial.read() == [])
        let left = try trial.file.readBlocking {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM shared WHERE payload IS NOT NULL")
        }
        #expect(left == 0)
    }
}
