import Accounts
import Foundation
import GatewayModel
import Parties
import SiteSamples
import Testing

/// Rules of access tokens and of the exchange of keys, asked as a program asks them.
struct TokenAPITests {
    @Test func `an approved company gets a token for ten minutes`() async throws {
        let site = try await PartySite()
        try await site.addCompany()
        let answer = await site.askToken(site.key.assertion(of: "clinic", at: site.now))
        #expect(answer.status == 200)
        #expect(answer.header("Cache-Control") == "no-store")
        #expect(answer.text.contains(#""expires_in":600,"token_type":"Bearer""#))
        let token = try await site.token()
        #expect(await site.get("/api/v1/party", token: token).text.contains(#""id":"clinic""#))
        site.trial.advance(599)
        #expect(await site.get("/api/v1/party", token: token).status == 200)
        site.trial.advance(1)
        let late = await site.get("/api/v1/party", token: token)
        #expect(late.status == 401)
        #expect(late.header("WWW-Authenticate") == #"Bearer error="invalid_token""#)
    }

    @Test func `each fault of an assertion gets the same answer`() async throws {
        let site = try await PartySite()
        try await site.addCompany()
        try await site.parties.add(
            NewParty(
                id: .study, vat: try VATNumber("IT00743110157"), name: "Study",
                contact: PartyContact("it@study.example")!,
                key: try await PartyKeyReader.key(site.key.jwk, at: site.now), applied: site.now)!)
        let (key, now) = (site.key, site.now)
        let seconds = now.millisecondsSince1970 / 1_000
        let header = #"{"alg":"EdDSA","kid":"2026"}"#
        func claims(_ text: String) -> String { key.signed(header, text) }
        let good = #""jti":"x","exp":\#(seconds + 60),"aud":"https://trackme.example""#
        let attacks: [(String, String)] = [
            ("no JWT", "abc"), ("empty", ""), ("dots", ".."),
            ("unknown client", key.assertion(of: "nobody", at: now)),
            ("not approved", key.assertion(of: "study", at: now)),
            ("another key", CompanyKey(id: "2026").assertion(of: "clinic", at: now)),
            ("another kid", key.assertion(of: "clinic", at: now, header: #"{"alg":"EdDSA","kid":"1"}"#)),
            ("alg none", key.assertion(of: "clinic", at: now, header: #"{"alg":"none","kid":"2026"}"#)),
            ("alg HS256", key.assertion(of: "clinic", at: now, header: #"{"alg":"HS256","kid":"2026"}"#)),
            ("alg ES256", key.assertion(of: "clinic", at: now, header: #"{"alg":"ES256","kid":"2026"}"#)),
            ("no kid", key.assertion(of: "clinic", at: now, header: #"{"alg":"EdDSA"}"#)),
            (
                "own key",
                key.assertion(of: "clinic", at: now, header: #"{"alg":"EdDSA","kid":"2026","jwk":{}}"#)
            ),
            (
                "typ of a command",
                key.assertion(
                    of: "clinic", at: now, header: #"{"alg":"EdDSA","kid":"2026","typ":"trackme-command+jwt"}"#)
            ),
            ("expired", key.assertion(of: "clinic", at: now, life: 0)),
            ("more than five minutes", key.assertion(of: "clinic", at: now, life: 301)),
            ("another audience", key.assertion(of: "clinic", at: now, audience: #""https://other.example""#)),
            ("no audience", key.assertion(of: "clinic", at: now, audience: "[]")),
            ("iss is not sub", claims(#"{"iss":"clinic","sub":"study",\#(good)}"#)),
            ("no sub", claims(#"{"iss":"clinic",\#(good)}"#)),
            ("member twice", claims(#"{"iss":"clinic","sub":"clinic","sub":"clinic",\#(good)}"#)),
            (
                "no jti",
                claims(
                    #"{"iss":"clinic","sub":"clinic","exp":\#(seconds + 60),"aud":"https://trackme.example"}"#)
            ),
            ("iat ahead", claims(#"{"iss":"clinic","sub":"clinic","iat":\#(seconds + 61),\#(good)}"#)),
            ("nbf ahead", claims(#"{"iss":"clinic","sub":"clinic","nbf":\#(seconds + 61),\#(good)}"#)),
            ("deep", claims(String(repeating: "[", count: 8_000))),
        ]
        var answers: Set<String> = []
        for (name, assertion) in attacks {
            let answer = await site.askToken(assertion)
            #expect(answer.status == 401, "\(name)")
            answers.insert(answer.text)
        }
        #expect(answers.count == 1)
        #expect(answers.first?.contains(#""error":"invalid_client""#) == true)
        #expect(await site.askToken(claims(#"{"iss":"clinic","sub":"clinic",\#(good)}"#)).status == 200)
    }

    @Test func `each byte of an assertion counts`() async throws {
        let site = try await PartySite()
        try await site.addCompany()
        let good = Array(site.key.assertion(of: "clinic", at: site.now))
        for place in stride(from: 0, to: good.count, by: 3) {
            var changed = good
            changed[place] = changed[place] == "A" ? "B" : "A"
            #expect(await site.askToken(String(changed)).status == 401, "byte \(place)")
        }
        #expect(await site.askToken(String(good)).status == 200)
    }

    @Test func `an assertion is taken once`() async throws {
        let site = try await PartySite()
        try await site.addCompany()
        let assertion = site.key.assertion(of: "clinic", at: site.now, jti: "once")
        #expect(await site.askToken(assertion).status == 200)
        #expect(await site.askToken(assertion).status == 401)
        let other = site.key.assertion(of: "clinic", at: site.now, life: 60, jti: "once")
        #expect(await site.askToken(other).status == 401)
    }

    @Test func `requests that are no client credentials get the error of the RFC`() async throws {
        let site = try await PartySite()
        try await site.addCompany()
        let assertion = site.key.assertion(of: "clinic", at: site.now)
        let faults: [(String, String?, Int, String)] = [
            ("grant_type", "authorization_code", 400, "unsupported_grant_type"),
            ("grant_type", nil, 400, "invalid_request"), ("client_assertion", nil, 400, "invalid_request"),
            ("client_assertion_type", "other", 400, "invalid_request"),
            ("client_id", "study", 401, "invalid_client"),
        ]
        for (field, value, status, error) in faults {
            let answer = await site.askToken(assertion, [field: value])
            #expect(answer.status == status, "\(field)")
            #expect(answer.text.contains("\"error\":\"\(error)\""), "\(field)")
        }
        #expect(await site.askToken(assertion, ["client_id": "clinic"]).status == 200)
    }

    @Test func `the operator's suspension ends the tokens at once, and a new approval brings none back`()
        async throws
    {
        let site = try await PartySite()
        try await site.addCompany()
        let token = try await site.token()
        _ = try await site.parties.change(.clinic, by: .suspend, as: "operator", at: site.now)
        #expect(await site.get("/api/v1/party", token: token).status == 401)
        #expect(await site.askToken(site.key.assertion(of: "clinic", at: site.now)).status == 401)
        _ = try await site.parties.change(.clinic, by: .approve, as: "operator", at: site.now)
        #expect(await site.get("/api/v1/party", token: token).status == 401)
        #expect(await site.get("/api/v1/party", token: try await site.token()).status == 200)
    }

    @Test func `sixty tokens in five minutes are the limit`() async throws {
        let site = try await PartySite()
        try await site.addCompany()
        for _ in 0..<60 {
            #expect(await site.askToken(site.key.assertion(of: "clinic", at: site.now)).status == 200)
        }
        let answer = await site.askToken(site.key.assertion(of: "clinic", at: site.now))
        #expect(answer.status == 429)
        #expect(answer.header("Retry-After") == "60")
        site.trial.advance(121)
        try await PartyTokenStore(file: site.trial.file).endTokens(before: site.now)
        #expect(await site.askToken(site.key.assertion(of: "clinic", at: site.now)).status == 200)
    }

    @Test func `a cookie, another scheme and a broken token open nothing`() async throws {
        let site = try await PartySite()
        try await site.addCompany()
        let token = try await site.token()
        let browser = site.trial.browser()
        await browser.register("maria")
        #expect(await browser.get("/api/v1/party").status == 401)
        for header in ["", "Basic \(token)", "Bearer", "Bearer \(token)x", "Bearer \(token) \(token)", token] {
            #expect(await browser.get("/api/v1/party", headers: ["authorization": header]).status == 401)
        }
        #expect(
            await browser.get("/api/v1/party", headers: ["authorization": "bearer \(token)"]).status == 200)
        #expect(
            await browser.get(
                "/api/v1/party", headers: ["authorization": "Bearer \(token)", "host": "evil.example"]
            ).status == 421)
    }

    @Test func `a company exchanges its key by itself`() async throws {
        let site = try await PartySite()
        try await site.addCompany()
        let (next, token) = (CompanyKey(id: "2027"), try await site.token())
        #expect(await site.post("/api/v1/party/keys/2026/end", "", token: token).status == 409)
        #expect(await site.post("/api/v1/party/keys", next.jwk, token: token).text.contains("2027"))
        #expect(await site.post("/api/v1/party/keys", next.jwk, token: token).status == 409)
        #expect(await site.post("/api/v1/party/keys", "{}", token: token).status == 400)
        #expect(await site.post("/api/v1/party/keys/2025/end", "", token: token).status == 404)
        #expect(await site.post("/api/v1/party/keys/2026/end", "", token: token).status == 200)
        #expect(await site.askToken(site.key.assertion(of: "clinic", at: site.now)).status == 401)
        #expect(await site.askToken(next.assertion(of: "clinic", at: site.now)).status == 200)
    }
}
