import Contract
import Crypto
import Foundation
import GatewayModel
import Parties
import SiteSamples
import Testing

/// Rules of the API of webhooks, asked as a program asks them.
struct SubscriptionAPITests {
    private struct Webhooks: Decodable {
        struct Webhook: Decodable {
            let state: String
            let suspension: Suspension?
        }
        let subscriptions: [Webhook]
    }

    private struct Suspension: Decodable {
        let reason, remedy, since: String
    }

    private let path = "/api/v1/party/subscriptions"

    /// Of the only webhook; nil where it is active.
    private func suspension(in site: PartySite, _ token: String) async throws -> Suspension? {
        let text = await site.get(path, token: token).text
        let webhooks = try JSONDecoder().decode(Webhooks.self, from: Data(text.utf8)).subscriptions
        let webhook = try #require(webhooks.first)
        #expect(webhook.state == (webhook.suspension == nil ? "active" : "suspended"))
        return webhook.suspension
    }

    @Test func `a company subscribes, replays and ends by itself`() async throws {
        let site = try await PartySite()
        try await site.addCompany()
        let token = try await site.token()
        let answer = await site.post(path, #"{"url":"https://clinic.example/hook","after":7}"#, token: token)
        #expect(answer.status == 201)
        #expect(answer.text.contains(#""cursor":7,"failures":0,"id":1,"key":"whpk_"#))
        #expect(await site.get(path, token: token).text.contains(#""state":"active""#))
        let replay = path + "/1/replay"
        #expect(await site.post(replay, #"{"after":3}"#, token: token).text.contains(#""cursor":3"#))
        #expect(await site.post(replay, #"{"after":4}"#, token: token).status == 409)
        #expect(await site.post(replay, "{}", token: token).status == 400)
        #expect(await site.post(path + "/1/end", "", token: token).text.contains(#""state":"ended""#))
        #expect(await site.post(path + "/1/end", "", token: token).status == 409)
        #expect(await site.post(path + "/2/end", "", token: token).status == 404)
        #expect(await site.post(path + "/x/end", "", token: token).status == 404)
    }

    @Test func `a company learns of a suspended webhook, why, since when and the way back`() async throws {
        let site = try await PartySite()
        try await site.addCompany()
        let token = try await site.token()
        let shared = "/api/v1/party/shared"
        _ = await site.post(path, #"{"url":"https://clinic.example/hook","after":7}"#, token: token)
        #expect(await site.get(shared, token: token).text.contains(#""suspended_subscriptions":[]"#))
        func fail(_ outcome: Subscription.Outcome) async throws {
            let (now, store) = (site.now, SubscriptionStore(file: site.trial.file))
            _ = try await store.change(SubscriptionID(1), of: .clinic) { kept in
                for _ in 0...Subscription.waits.count { kept.apply(outcome, chance: 0.5, at: now) }
                return true
            }
        }
        try await fail(.response(status: 500, retryAfter: nil))
        let refused = try #require(try await suspension(in: site, token))
        #expect((refused.reason, refused.since) == ("refused", site.now.rfc3339))
        #expect(refused.remedy.contains(#"POST /api/v1/party/subscriptions/1/replay and the body {"after":7}"#))
        #expect(await site.get(shared, token: token).text.contains(#""suspended_subscriptions":[1]"#))

        _ = await site.post(path + "/1/replay", #"{"after":7}"#, token: token)
        #expect(try await suspension(in: site, token) == nil)
        #expect(await site.get(shared, token: token).text.contains(#""suspended_subscriptions":[]"#))
        try await fail(.noResponse)
        #expect(try await suspension(in: site, token)?.reason == "no-response")
    }

    @Test func `an address that is not of the internet's HTTPS, and a sixth one, are refused`() async throws {
        let site = try await PartySite()
        try await site.addCompany()
        let token = try await site.token()
        for body in ["{}", #"{"url":"http://clinic.example"}"#, #"{"url":"https://a.example","after":-1}"#] {
            #expect(await site.post(path, body, token: token).status == 400)
        }
        for _ in 0..<5 {
            #expect(await site.post(path, #"{"url":"https://a.example"}"#, token: token).status == 201)
        }
        #expect(await site.post(path, #"{"url":"https://a.example"}"#, token: token).status == 409)
        #expect(await site.post(path, #"{"url":"https://a.example"}"#, token: "no").status == 401)
    }

    @Test func `a test call is signed as the standard says, and comes once in ten seconds`() async throws {
        let site = try await PartySite()
        try await site.addCompany()
        let token = try await site.token()
        let subscribed = await site.post(path, #"{"url":"https://clinic.example/hook"}"#, token: token)
        #expect(await site.post(path + "/1/test", "", token: token).text == #"{"status":204}"#)
        #expect(await site.post(path + "/1/test", "", token: token).status == 429)
        site.trial.advance(10)
        #expect(await site.post(path + "/1/test", "", token: token).status == 200)
        let post = try #require(site.transport.posts.first)
        #expect(post.url == "https://clinic.example/hook")
        #expect(String(decoding: post.body, as: UTF8.self).contains(#""type":"test""#))
        let text = try #require(subscribed.text.firstMatch(of: /whpk_([^"]+)/)).1
        let key = try Curve25519.Signing.PublicKey(
            rawRepresentation: try #require(Data(base64Encoded: String(text))))
        let (id, time) = (post.headers["webhook-id"] ?? "", post.headers["webhook-timestamp"] ?? "")
        let signature = try #require(post.headers["webhook-signature"])
        #expect(signature.hasPrefix("v1a,"))
        let bytes = try #require(Data(base64Encoded: String(signature.dropFirst(4))))
        #expect(key.isValidSignature(bytes, for: Data("\(id).\(time).".utf8) + Data(post.body)))
        #expect(!key.isValidSignature(bytes, for: Data("\(id).0.".utf8) + Data(post.body)))
    }
}
