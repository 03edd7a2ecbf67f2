import Foundation
import GatewayModel
import Groups
import SiteSamples
import Store
import StoreSamples
import Testing

/// Figures of groups for programs of third parties.
struct GroupAPITests {
    private static let path = "/api/v1/party/groups"
    private static let week = Week("2026-02-16")!
    private static let everybody = #"{"kind":"heart-rate","everybody":true}"#

    /// A site with the table of a week.
    private func site(_ count: Int, rule: GroupRule = .margin) async throws -> PartySite {
        let site = try await PartySite(groups: rule)
        try await site.addCompany()
        try await site.trial.file.add(
            CrowdPerson.mixed(count, in: PartySite.areas, seed: "api"), in: Self.week)
        try await release(Self.week, site, rule)
        return site
    }

    private func release(_ week: Week, _ site: PartySite, _ rule: GroupRule = .margin) async throws {
        let releases = GroupReleaseStore(file: site.trial.file) { DerivedNumbers(of: "api \(week)") }
        #expect(try await releases.release(week, of: PartySite.areas, by: rule, at: site.now))
    }

    private func ask(
        _ body: String, _ site: PartySite, key: String = "1", of company: PartyID = .clinic
    ) async throws -> Seen {
        await site.post(
            Self.path, body, token: try await site.token(company), headers: ["idempotency-key": key])
    }

    private func object(_ seen: Seen) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(seen.text.utf8)) as? [String: Any])
    }

    private func answers(_ seen: Seen) throws -> [[String: Any]] {
        try #require(try object(seen)["answers"] as? [[String: Any]])
    }

    @Test func `a group has its count, mean and quantiles with their errors, and the exact group`() async throws
    {
        let site = try await site(4_000)
        let seen = try await ask(
            #"{"kind":"heart-rate","areas":["Milano <nord> & \"sud\""],"genders":["male","female"]}"#, site)
        #expect(seen.status == 201, "\(seen.text)")
        #expect(seen.header("Location") == "/api/v1/party/groups/1")
        let answer = try #require(try answers(seen).first)
        #expect(answer["state"] as? String == "answered")
        #expect(answer["rule"] as? String == "margin")
        #expect(answer["week"] as? String == "2026-02-16")
        #expect(answer["unit"] as? String == "/min")
        #expect(answer["areas"] as? [String] == ["Milano <nord> & \"sud\""])
        #expect(answer["genders"] as? [String] == ["female", "male"])
        #expect((answer["age_bands"] as? [String])?.count == 16)
        let count = try #require(answer["count"] as? [String: Double])
        #expect(abs(count["value"]! - 2_000) < 400)
        #expect(count["value"]!.truncatingRemainder(dividingBy: 10) == 0)
        let mean = try #require(answer["mean"] as? [String: Double])
        #expect(abs(mean["value"]! - 70) < mean["error"]!)
        let quantiles = try #require(answer["quantiles"] as? [String: [String: Double]])
        #expect(quantiles.keys.sorted() == ["10", "50", "90"])
        #expect(quantiles["10"]!["value"]! < quantiles["50"]!["value"]!)
        #expect(quantiles.values.allSatisfy { $0["noise"]! < $0["error"]! })
    }

    @Test func `a small group is refused with the reason and without a number`() async throws {
        let site = try await site(900)
        let answer = try #require(try answers(try await ask(Self.everybody, site)).first)
        #expect(answer["state"] as? String == "refused")
        #expect(answer["reason"] as? String == "too-small")
        #expect(
            Set(answer.keys)
                == ["state", "reason", "rule", "week", "areas", "age_bands", "genders"])
    }

    @Test func `1,001 persons are answered by the letter and refused with the margin`() async throws {
        for (rule, state) in [(GroupRule.letter, "answered"), (.margin, "refused")] {
            let site = try await site(1_001, rule: rule)
            let answer = try #require(try answers(try await ask(Self.everybody, site)).first)
            #expect(answer["state"] as? String == state)
            #expect(answer["rule"] as? String == rule.rawValue)
        }
    }

    @Test func `the same question twice and by two companies has the same answer`() async throws {
        let site = try await site(3_000)
        try await site.addCompany(.study)
        let first = try await ask(Self.everybody, site)
        let again = try await ask(Self.everybody, site, key: "2")
        let other = try await ask(Self.everybody, site, of: .study)
        for seen in [again, other] {
            #expect(
                try NSArray(array: answers(seen)).isEqual(to: answers(first)),
                "\(seen.text)")
        }
        // The same key: the same group.
        #expect(try await ask(Self.everybody, site).text == first.text)
        #expect(try await ask(#"{"kind":"glucose","everybody":true}"#, site).status == 409)
    }

    @Test func `a group is answered each week until its end, to its company alone`() async throws {
        let site = try await site(3_000)
        try await site.addCompany(.study)
        #expect(try await ask(Self.everybody, site).status == 201)
        let token = try await site.token()
        let later = try #require(Week("2026-02-23"))
        try await release(later, site)
        func weeks(_ query: String = "") async throws -> [String] {
            try answers(await site.get(Self.path + "/1" + query, token: token)).compactMap {
                $0["week"] as? String
            }
        }
        #expect(try await weeks() == ["2026-02-16", "2026-02-23"])
        #expect(try await weeks("?after=2026-02-16") == ["2026-02-23"])
        #expect(await site.get(Self.path + "/1?after=2026-02-17", token: token).status == 400)
        #expect(await site.get(Self.path + "/1", token: try await site.token(.study)).status == 404)
        #expect(
            await site.post(Self.path + "/1/end", "", token: try await site.token(.study)).status == 404)
        #expect(await site.post(Self.path + "/1/end", "", token: token).status == 200)
        site.trial.advance(60)
        try await release(try #require(Week("2026-03-02")), site)
        #expect(try await weeks() == ["2026-02-16", "2026-02-23"])
        let list = try object(await site.get(Self.path, token: token))
        #expect((list["groups"] as? [[String: Any]])?.first?["ended"] is String)
        let offer = try #require(list["offer"] as? [String: Any])
        #expect(offer["areas"] as? [String] == PartySite.areas.map(\.text))
        #expect(offer["rule"] as? String == "margin")
    }

    @Test func `before the first table there is no answer yet`() async throws {
        let site = try await PartySite()
        try await site.addCompany()
        let seen = try await ask(Self.everybody, site)
        #expect(seen.status == 201)
        #expect(try answers(seen).isEmpty)
    }

    @Test(arguments: [
        #"{}"#, #"{"kind":"heart-rate"}"#, #"{"kind":"location","everybody":true}"#,
        #"{"kind":"heart-rate","areas":["Roma"]}"#, #"{"kind":"heart-rate","areas":[]}"#,
        #"{"kind":"heart-rate","areas":["Milano centro","Milano centro"]}"#,
        #"{"kind":"heart-rate","age_bands":["18-25"]}"#, #"{"kind":"heart-rate","genders":["x"]}"#,
        #"{"kind":"heart-rate","genders":["male"],"everybody":true}"#, "[]", "",
        #"{"kind":"heart-rate","areas":"Milano centro"}"#,
    ])
    func `a question that is none is refused`(_ body: String) async throws {
        let site = try await PartySite()
        try await site.addCompany()
        #expect(try await ask(body, site).status == 400)
    }

    @Test func `no token, no key and no areas get their problems`() async throws {
        let site = try await PartySite()
        try await site.addCompany()
        #expect(await site.post(Self.path, Self.everybody, token: "none").status == 401)
        #expect(await site.post(Self.path, Self.everybody, token: try await site.token()).status == 400)
        let without = try await PartySite(groups: nil)
        try await without.addCompany()
        #expect(try await ask(Self.everybody, without).status == 404)
    }
}
