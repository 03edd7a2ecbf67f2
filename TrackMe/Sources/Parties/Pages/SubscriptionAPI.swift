import Contract
import GatewayModel
import JSONReading
import Store
import Synchronization
import WebPages

/// Webhooks of a third party, for its programs.
struct SubscriptionAPI: Sendable {
    private static let path = "/api/v1/party/subscriptions"
    /// Time between two test calls of a subscription: this server is no tool for a flood.
    private static let testInterval = Duration.seconds(10)

    /// Times of the last test calls.
    private final class TestGate: Sendable {
        private let times = Mutex<[SubscriptionID: BootInstant]>([:])

        func begin(_ id: SubscriptionID, at now: BootInstant) -> Bool {
            times.withLock { times in
                times = times.filter { $0.value.advanced(by: SubscriptionAPI.testInterval) > now }
                guard times[id] == nil else { return false }
                times[id] = now
                return true
            }
        }
    }

    private struct New: Decodable {
        let url: String
        let after: Int64?
    }

    private struct Replay: Decodable {
        let after: Int64
    }

    let subscriptions: SubscriptionStore
    let access: PartyAccess
    let webhooks: WebhookParts
    let parts: SiteParts
    private let gate = TestGate()

    init(subscriptions: SubscriptionStore, access: PartyAccess, webhooks: WebhookParts, parts: SiteParts) {
        (self.subscriptions, self.access, self.webhooks, self.parts) = (subscriptions, access, webhooks, parts)
    }

    var routes: [Route] {
        [
            Route(.get, Self.path, access: .program, style: .api) { context in
                let party = try await access.party(context)
                let list = try await subscriptions.subscriptions(of: party.id).map(json)
                return .json(Array(#"{"subscriptions":[\#(list.joined(separator: ","))]}"#.utf8))
            },
            Route(.post, Self.path, access: .program, style: .api, answer: add),
            Route(.post, Self.path + "/{subscription}/end", access: .program, style: .api) { context in
                try await change(context, refusal: "the subscription has ended") { $0.end() }
            },
            Route(.post, Self.path + "/{subscription}/replay", access: .program, style: .api) { context in
                let replay: Replay = try Self.body(context)
                let now = parts.clock()
                return try await change(context, refusal: "it has ended, or after is beyond its cursor") {
                    $0.replay(after: replay.after, at: now)
                }
            },
            Route(.post, Self.path + "/{subscription}/test", access: .program, style: .api, answer: test),
        ]
    }

    private func json(_ subscription: Subscription) -> String {
        let status = subscription.lastStatus.map { #","last_status":\#($0)"# } ?? ""
        let next =
            subscription.state == .active && subscription.failures > 0
            ? #","next_attempt":"\#(subscription.next.rfc3339)""# : ""
        return
            #"{"cursor":\#(subscription.cursor),"failures":\#(subscription.failures),"id":\#(subscription.id)"#
            + #","key":"\#(webhooks.signer.publicKey)""# + status + next
            + #","state":"\#(subscription.state.rawValue)""# + suspension(subscription)
            + #","url":\#(JSONText.quoted(subscription.url))}"#
    }

    /// Nothing is sent any more: the reason, the time, and the way back. Empty unless it is suspended.
    private func suspension(_ subscription: Subscription) -> String {
        guard subscription.state == .suspended else { return "" }
        let path = "\(Self.path)/\(subscription.id)"
        let remedy =
            "Repair the endpoint and try it with POST \(path)/test. Then have the messages after the cursor sent with POST "
            + #"\#(path)/replay and the body {"after":\#(subscription.cursor)}. Messages are erased after their time: until "#
            + "then read them with GET \(SharedAPI.path)."
        let since = subscription.suspended.map { #","since":"\#($0.rfc3339)""# } ?? ""
        return #","suspension":{"reason":"\#(subscription.lastStatus ?? 0 == 0 ? "no-response" : "refused")""#
            + #","remedy":\#(JSONText.quoted(remedy))\#(since)}"#
    }

    private static func body<Value: Decodable>(_ context: RouteContext) throws(Problem) -> Value {
        try context.checkJSON()
        do {
            return try JSONReader.decode(from: context.request.body, limit: WebRequest.largestBody)
        } catch {
            throw Problem(.badRequest, "the body is not the JSON that is expected")
        }
    }

    private func id(_ context: RouteContext) throws(Problem) -> SubscriptionID {
        guard let id = SubscriptionID(try context.parameter("subscription")) else {
            throw Problem(.notFound, "the party has no such subscription")
        }
        return id
    }

    private func add(_ context: RouteContext) async throws -> WebAnswer {
        let party = try await access.party(context)
        let new: New = try Self.body(context)
        guard webhooks.transport.accepts(new.url) else {
            throw Problem(.badRequest, "url is no address of HTTPS without a user and a fragment")
        }
        guard new.after ?? 0 >= 0 else { throw Problem(.badRequest, "after is no number of the log") }
        do {
            let subscription = try await subscriptions.subscribe(
                party.id, url: new.url, after: new.after ?? 0, at: parts.clock())
            return .json(Array(json(subscription).utf8), status: 201)
        } catch PartyFault.tooManySubscriptions {
            throw Problem(.conflict, "there are five subscriptions: end one first")
        }
    }

    private func change(
        _ context: RouteContext, refusal: StaticString,
        _ body: @escaping @Sendable (inout Subscription) -> Bool
    ) async throws -> WebAnswer {
        let party = try await access.party(context)
        guard
            let (subscription, isChanged) = try await subscriptions.change(try id(context), of: party.id, body)
        else { throw Problem(.notFound, "the party has no such subscription") }
        guard isChanged else { throw Problem(.conflict, refusal) }
        return .json(Array(json(subscription).utf8))
    }

    private func test(_ context: RouteContext) async throws -> WebAnswer {
        let party = try await access.party(context)
        guard let subscription = try await subscriptions.subscription(try id(context), of: party.id) else {
            throw Problem(.notFound, "the party has no such subscription")
        }
        guard subscription.state != .ended else { throw Problem(.conflict, "the subscription has ended") }
        guard gate.begin(subscription.id, at: parts.bootClock()) else {
            throw Problem(.busy, "one test in ten seconds is the limit")
        }
        let now = parts.clock()
        let message = WebhookMessage(testing: subscription.id, at: now)
        let outcome = await webhooks.transport.post(
            message.body, headers: try webhooks.signer.headers(of: message.id, body: message.body, at: now),
            to: subscription.url)
        // Neither the body nor a reason: the answer shows nothing of a network that the party cannot reach itself.
        switch outcome {
        case .response(let status, _): return .json(Array(#"{"status":\#(status)}"#.utf8))
        case .noResponse: return .json(Array(#"{"status":0}"#.utf8))
        }
    }
}

/// Parts that send to endpoints.
public struct WebhookParts: Sendable {
    public let transport: any WebhookTransport
    public let signer: WebhookSigner

    public init(transport: any WebhookTransport, signer: WebhookSigner) {
        (self.transport, self.signer) = (transport, signer)
    }
}
