import ContractReading
import GatewayModel
import Parties
import Store
import StoreSamples
import Testing

/// Rules of the webhooks in the store.
struct SubscriptionStoreTests {
    private let trial: PartyTrial
    private let noon = PartyTrial.noon
    private let subscriptions: SubscriptionStore

    init() async throws {
        trial = try PartyTrial()
        subscriptions = SubscriptionStore(file: trial.file)
        try await trial.approve()
        try await trial.addPerson()
        _ = try await trial.ask("ask-1", terms: .sample([.quantity(.heartRate), .quantity(.bodyWeight)]))
        try trial.answer("ask-1", .decided(.accepted, entry: 4, grant: 4))
    }

    private func subscribe(after number: Int64 = 0) async throws -> Subscription {
        try await subscriptions.subscribe(.clinic, url: "https://a.example", after: number, at: noon)
    }

    private func batch(_ subscription: Subscription) async throws -> [Int64]? {
        try await subscriptions.nextBatch(of: subscription.id, most: 2, bytes: 1_000_000, at: noon)?.messages
            .map(
                \.number)
    }

    private func record(_ status: Int, _ subscription: Subscription) async throws {
        let now = noon
        _ = try await subscriptions.change(subscription.id, of: .clinic) {
            $0.apply(.response(status: status, retryAfter: nil), chance: 0.5, at: now)
            return true
        }
    }

    @Test func `each subscription has its own cursor, and a retry has the same batch`() async throws {
        let (first, second) = (try await subscribe(), try await subscribe(after: 2))
        #expect(try await subscriptions.due(at: noon, most: 9).isEmpty)
        for text in ["one", "two", "three"] { try trial.receive(text) }
        #expect(try await subscriptions.due(at: noon, most: 9).map(\.id) == [first.id, second.id])
        #expect(try await batch(second) == [3])
        #expect(try await batch(first) == [1, 2])
        try await record(500, first)
        #expect(try await subscriptions.due(at: noon, most: 9).map(\.id) == [second.id])
        #expect(try await subscriptions.due(at: noon.later(5), most: 9).map(\.id) == [second.id, first.id])
        try trial.receive("four")
        #expect(try await batch(first) == [1, 2])
        try await record(200, first)
        #expect(try await batch(first) == [3, 4])
        try await record(200, first)
        #expect(try await batch(first) == nil)
    }

    @Test func `a retry is counted as read once`() async throws {
        let subscription = try await subscribe()
        try trial.receive("one")
        _ = try await batch(subscription)
        try await record(500, subscription)
        _ = try await batch(subscription)
        #expect(try await trial.requests.requests(about: .maria, most: 1).first?.read == 1)
    }

    @Test func `the end of a grant breaks the batch that is under way, and the retry is without its copies`()
        async throws
    {
        let subscription = try await subscribe()
        _ = try await trial.ask("ask-2", terms: .sample([.location]))
        try trial.answer("ask-2", .decided(.accepted, entry: 5, grant: 5))
        try trial.receive("one", grant: 4)
        try trial.receive("two", kind: "location", grant: 5)
        let batch = try #require(
            try await subscriptions.nextBatch(of: subscription.id, most: 9, bytes: 99, at: noon))
        #expect(batch.messages.map(\.number) == [1, 2])
        #expect(try await subscriptions.isWhole(batch, at: noon))
        try trial.answer("ask-1", .grantEnded(.withdrawn, grant: 4))
        #expect(try await !subscriptions.isWhole(batch, at: noon))
        #expect(try await self.batch(subscription) == [2])
        try trial.answer("ask-2", .grantEnded(.withdrawn, grant: 5))
        #expect(try await self.batch(subscription) == nil)
        #expect(try await subscriptions.subscription(subscription.id, of: .clinic)?.cursor == 2)
        #expect(try await subscriptions.due(at: noon, most: 9).isEmpty)
    }

    @Test func `a suspended party is sent nothing`() async throws {
        let subscription = try await subscribe()
        try trial.receive("one")
        let batch = try #require(
            try await subscriptions.nextBatch(of: subscription.id, most: 9, bytes: 99, at: noon))
        _ = try await trial.parties.change(.clinic, by: .suspend, as: "anna", at: noon)
        #expect(try await subscriptions.due(at: noon, most: 9).isEmpty)
        #expect(try await self.batch(subscription) == nil)
        #expect(try await !subscriptions.isWhole(batch, at: noon))
        _ = try await trial.parties.change(.clinic, by: .approve, as: "anna", at: noon)
        #expect(try await self.batch(subscription) == [1])
    }

    @Test func `a suspension is listed with its time until a replay, an end, or the close of the company`()
        async throws
    {
        let (first, second) = (try await subscribe(), try await subscribe())
        for (minutes, subscription) in [(2, first), (1, second)] {
            let now = noon.later(minutes * 60)
            _ = try await subscriptions.change(subscription.id, of: .clinic) { kept in
                for _ in 0...Subscription.waits.count { kept.apply(.noResponse, chance: 0.5, at: now) }
                return true
            }
        }
        func listed() async throws -> [SubscriptionID] {
            try await subscriptions.suspended(most: 9).map(\.id)
        }
        let longest = try #require(try await subscriptions.suspended(most: 1).first)
        #expect((longest.id, longest.suspended) == (second.id, noon.later(60)))
        #expect(try await listed() == [second.id, first.id])
        let now = noon
        _ = try await subscriptions.change(second.id, of: .clinic) { $0.replay(after: 0, at: now) }
        #expect(try await subscriptions.subscription(second.id, of: .clinic)?.suspended == nil)
        #expect(try await listed() == [first.id])
        _ = try await trial.parties.change(.clinic, by: .close, as: "anna", at: noon)
        #expect(try await listed().isEmpty)
    }

    @Test func `five subscriptions are the limit, and another company's are out of reach`() async throws {
        try await trial.approve(.study)
        let first = try await subscribe()
        for _ in 0..<4 { _ = try await subscribe() }
        await #expect(throws: PartyFault.tooManySubscriptions) { try await subscribe() }
        #expect(try await subscriptions.change(first.id, of: .study) { $0.end() } == nil)
        #expect(try await subscriptions.subscription(first.id, of: .study) == nil)
        #expect(try await subscriptions.change(first.id, of: .clinic) { $0.end() }?.isChanged == true)
        _ = try await subscribe()
        #expect(try await subscriptions.subscriptions(of: .clinic).count == 6)
    }
}
