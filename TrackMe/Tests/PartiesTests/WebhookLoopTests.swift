import Accounts
import ContractReading
import Foundation
import GatewayModel
import Logging
import Parties
import RealTime
import SQLDatabase
import ServiceLifecycle
import Store
import StoreSamples
import TestSupport
import Testing

/// Rules of the way from a house's copy to the endpoint.
struct WebhookLoopTests {
    private let file: DatabasePool
    private let database: TestDatabase
    private let stores: Stores
    private let subscriptions: SubscriptionStore
    private let clinic = PartyID("clinic")!
    private let request = RequestID("ask-1")!

    /// A party with an accepted request.
    init() async throws {
        database = try TestDatabase(
            migrations: Stores.migrations + AuditLog.migrations + PartyStore.migrations)
        file = try database.open()
        stores = Stores(in: file) { _, _ in
        } onParty: {
            try SharedStore.receive($0, $1)
        }
        subscriptions = SubscriptionStore(file: file)
        let (parties, requests, now) = (PartyStore(file: file), PartyRequestStore(file: file), Clock.wall())
        try await parties.add(
            NewParty(
                id: clinic, vat: try VATNumber("IT00743110157"), name: "Clinic",
                contact: PartyContact("it@clinic.example")!,
                key: PartyKey(id: "1", thumbprint: "1", jwk: "{}", added: now), applied: now)!)
        _ = try await parties.change(clinic, by: .approve, as: "anna", at: now)
        let account = try await stores.accounts.add(.sample("maria", at: now))
        _ = try await stores.link(account, to: .maria, as: "link-1", at: now)
        try await stores.give([1], of: .maria, by: account, as: "code-1", at: now)
        _ = try await requests.ask(
            NewPartyRequest(
                id: request, party: clinic, lookUp: [1],
                terms: try RequestTerms(purpose: "Study", kinds: [.quantity(.heartRate)], now: now),
                idempotencyKey: "1", digest: [], asked: now)
        ) { _, _ in .sample("c", about: "ask-1", at: now) }
        try receive(.answer(clinic, request, by: .maria, .decided(.accepted, entry: 4, grant: 4), at: now))
    }

    private func receive(_ event: PartyEvent) throws {
        _ = try stores.intake.keep([.party(event)], at: Clock.wall())
    }

    private func copy(_ text: String) throws {
        try receive(
            .copy(
                SharedCopy(
                    party: clinic, subject: .maria, kind: "heart-rate", id: nil, grant: 4,
                    topic: "trackme/v1/house-12/parties/clinic/maria/heart-rate", payload: Array(text.utf8),
                    received: Clock.wall(), measured: nil)))
    }

    private func subscribe(_ endpoint: LocalEndpoint) async throws -> Subscription {
        try await subscriptions.subscribe(
            clinic, url: "http://127.0.0.1:\(endpoint.port)/", after: 0, at: Clock.wall())
    }

    /// Runs the loop with the real sender.
    private func withLoop(_ body: () async throws -> Void) async throws {
        let sender = try WebhookSender(allowsLoopback: true)
        let loop = WebhookLoop(
            subscriptions: subscriptions, transport: sender,
            signer: WebhookSigner(masterKey: [UInt8](repeating: 7, count: 32))!,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }), clock: { Clock.wall() })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await sender.run() }
            group.addTask { try await loop.run() }
            defer { group.cancelAll() }
            try await body()
        }
    }

    @Test func `copies are sent once each, and one that hangs delays no other endpoint`() async throws {
        let slow = try LocalEndpoint { _ in .silence }
        let good = try LocalEndpoint { _ in .status("204 No Content") }
        defer {
            slow.stop()
            good.stop()
        }
        _ = try await subscribe(slow)
        let subscription = try await subscribe(good)
        try await withLoop {
            try copy("one")
            #expect(await eventually { good.requests.count == 1 && slow.requests.count == 1 })
            for number in 2...5 {
                try copy("copy \(number)")
                #expect(
                    try await eventually {
                        try await subscriptions.subscription(subscription.id, of: clinic)?.cursor
                            == Int64(number)
                    })
            }
        }
        #expect(slow.requests.count == 1)
        for text in ["one", "copy 2", "copy 3", "copy 4", "copy 5"] {
            let payload = "\"payload\":\"\(Data(text.utf8).base64EncodedString())\""
            #expect(good.requests.filter { $0.contains(payload) }.count == 1, "\(text)")
        }
        #expect(good.requests.allSatisfy { $0.contains("webhook-signature: v1a,") })
    }

    @Test func `a failed batch comes again under its id`() async throws {
        let endpoint = try LocalEndpoint { _ in .status("500 Oh") }
        defer { endpoint.stop() }
        let subscription = try await subscribe(endpoint)
        try copy("one")
        try await withLoop {
            #expect(
                try await eventually {
                    try await subscriptions.subscription(subscription.id, of: clinic)?.failures == 1
                })
            // The wait is made short: the second attempt comes at once.
            try copy("two")
            _ = try await subscriptions.change(subscription.id, of: clinic) { kept in
                kept = Subscription(
                    id: kept.id, party: kept.party, url: kept.url, cursor: kept.cursor, pending: kept.pending,
                    failures: kept.failures, next: Clock.wall())
                return true
            }
            #expect(await eventually { endpoint.requests.count == 2 })
        }
        let ids = endpoint.requests.compactMap { $0.firstMatch(of: /webhook-id: (\S+)/).map { String($0.1) } }
        #expect(ids == ["shared-1-1-1-1", "shared-1-1-1-1"])
    }

    @Test func `the end of a grant breaks off a POST under way within a second, and it is not repeated`()
        async throws
    {
        let endpoint = try LocalEndpoint { _ in .silence }
        defer { endpoint.stop() }
        let subscription = try await subscribe(endpoint)
        try copy("one")
        try await withLoop {
            #expect(await eventually { endpoint.requests.count == 1 })
            let begin = ContinuousClock.now
            try receive(
                .answer(clinic, request, by: .maria, .grantEnded(.withdrawn, grant: 4), at: Clock.wall()))
            #expect(await eventually { endpoint.closed == 1 })
            // Some 0.4 s; the bound leaves room for a busy machine.
            #expect(ContinuousClock.now - begin < .seconds(5))
            #expect(
                try await eventually {
                    try await subscriptions.subscription(subscription.id, of: clinic)?.cursor == 1
                })
        }
        #expect(endpoint.requests.count == 1)
    }
}
