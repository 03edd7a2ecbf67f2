import Accounts
import Contract
import ContractReading
import Foundation
import GatewayModel
import Houses
import Logging
import Parties
import SQLDatabase
import SiteSamples
import Store
import StoreSamples
import TestSupport
import Testing
import WebPages

/// Rules of requests from the program of a company to the person and back.
struct RequestAPITests {
    private let code = "RSSMRA41E42F205F"
    private let other = "MRTMTT25D09F205Z"

    private func body(_ code: String, _ more: String = "") -> String {
        #"{"fiscal_code":"\#(code)","purpose":"Study","kinds":["heart-rate","body-weight"]\#(more)}"#
    }

    /// A signed-in person with a linked account and her fiscal code.
    private func person(_ site: PartySite, _ code: String) async throws -> TrialBrowser {
        let browser = site.trial.browser()
        await browser.register("maria")
        let account = try #require(try await site.trial.stores.accounts.account(named: UserName("maria")!))
        _ = try await site.trial.stores.link(account.id, to: .maria, as: "link-1", at: site.now)
        try await site.give(code, of: .maria, to: browser)
        return browser
    }

    /// A request for the person; its place, and its ID.
    private func request(_ site: PartySite, _ token: String) async throws -> (String, RequestID) {
        let asked = await site.post(
            "/api/v1/party/requests", body(code), token: token, headers: ["idempotency-key": "1"])
        let place = try #require(asked.header("Location"))
        return (place, try #require(RequestID(String(place.split(separator: "/").last ?? ""))))
    }

    private func commands(_ site: PartySite) async throws -> [String] {
        try await site.trial.stores.links.due(at: site.now, most: 100).map { command in
            let parts = String(decoding: command.token, as: UTF8.self).split(separator: ".")
            let claims = parts.count == 3 ? Base64URL.decode(Array(parts[1].utf8)) : nil
            return String(decoding: claims ?? [], as: UTF8.self)
        }.filter { $0.contains("ask-") }
    }

    @Test func `an unknown fiscal code gets the answer of a known one`() async throws {
        let site = try await PartySite()
        try await site.addCompany()
        _ = try await person(site, code)
        let token = try await site.token()
        let answers = await [
            site.post("/api/v1/party/requests", body(code), token: token, headers: ["idempotency-key": "1"]),
            site.post("/api/v1/party/requests", body(other), token: token, headers: ["idempotency-key": "2"]),
        ]
        #expect(answers.map(\.status) == [202, 202])
        let texts = answers.map { $0.text.replacing(/ask-[a-z2-7]{26}/, with: "ask-") }
        #expect(texts[0] == texts[1])
        #expect(!texts[0].contains(code))
        #expect(Set(answers.map { Set($0.headers.map(\.name)) }).count == 1)
        let sent = try await commands(site)
        #expect(sent.count == 1)
        #expect(sent[0].contains(#""aud":"house-12","by":"clinic""#))
        #expect(
            sent[0].contains(
                #""kinds":["body-weight","heart-rate"],"party":{"id":"clinic","name":"Clinica clinic"}"#))
        #expect(sent[0].contains(#""person":"maria""#))
        #expect(!sent[0].contains(code))
    }

    @Test func `the terms reach the house as the contract names them`() async throws {
        let site = try await PartySite()
        try await site.addCompany()
        _ = try await person(site, code)
        let token = try await site.token()
        let sealing = Base64URL.encode([UInt8](repeating: 9, count: 32))
        let signing = Base64URL.encode([UInt8](repeating: 8, count: 32))
        let answer = await site.post(
            "/api/v1/party/requests",
            #"{"fiscal_code":"\#(code)","purpose":"Study","kinds":["location"],"precision":"exact","#
                + #""from":"2026-03-01T12:00:00.000Z","until":"2026-06-01T00:00:00.000Z","#
                + #""sealing_key":{"kid":"k","x25519":"\#(sealing)"},"signing_key":"\#(signing)"}"#,
            token: token, headers: ["idempotency-key": "1"])
        #expect(answer.status == 202)
        let sent = try await commands(site)
        let command = try #require(sent.first)
        for part in [
            #""precision":"exact""#, #""from":1772366400"#, #""until":1780272000"#, #""format":"samples""#,
            #""sealing_key":{"kid":"k","x25519":"\#(sealing)"}"#, #""signing_key":"\#(signing)""#,
        ] {
            #expect(command.contains(part), "\(part)")
        }
    }

    @Test func `mistakes of a request are told, and need no person`() async throws {
        let site = try await PartySite()
        try await site.addCompany()
        let token = try await site.token()
        let low = Base64URL.encode([UInt8](repeating: 0, count: 32))
        let mistakes = [
            "", "{}", "[]", body("ABC"), body(code.dropLast() + "Q"), body(code, #","format":"csv""#),
            body(code, #","precision":"exact""#), body(code, #","until":"yesterday""#),
            body(code, #","until":"2026-01-01T00:00:00.000Z""#), body(code, #","signing_key":"AA""#),
            body(code, #","sealing_key":{"kid":"k","x25519":"\#(low)"}"#),
            body(code).replacing("body-weight", with: "mood"), body(code).replacing("Study", with: ""),
            String(repeating: "[", count: 10_000),
        ]
        for mistake in mistakes {
            let answer = await site.post(
                "/api/v1/party/requests", mistake, token: token, headers: ["idempotency-key": "1"])
            #expect(answer.status == 400, "\(mistake.prefix(80))")
        }
        #expect(await site.post("/api/v1/party/requests", body(code), token: token).status == 400)
        #expect(
            await site.post(
                "/api/v1/party/requests", body(code), token: token,
                headers: ["idempotency-key": "1", "content-type": "text/plain"]
            ).status == 400)
        #expect(
            await site.post(
                "/api/v1/party/requests", body(code), token: "no", headers: ["idempotency-key": "1"]
            ).status == 401)
        let accepted = await site.post(
            "/api/v1/party/requests", body(code), token: token, headers: ["idempotency-key": "1"])
        #expect(accepted.status == 202)
        let again = await site.post(
            "/api/v1/party/requests", body(code), token: token, headers: ["idempotency-key": "1"])
        #expect(again.text == accepted.text)
        #expect(
            await site.post(
                "/api/v1/party/requests", body(other), token: token, headers: ["idempotency-key": "1"]
            ).status == 409)
    }

    @Test func `the answer, the copies and the end reach the party, and the person sees all of it`()
        async throws
    {
        let site = try await PartySite()
        try await site.addCompany()
        let browser = try await person(site, code)
        let token = try await site.token()
        let (place, id) = try await request(site, token)
        #expect(await browser.get("/sharing").text.contains("Answer at home."))

        func receive(_ event: PartyEvent) throws { _ = try site.intake.keep([.party(event)], at: site.now) }
        try receive(
            .answer(.clinic, id, by: .maria, .decided(.accepted, entry: 4, grant: 4), at: site.now))
        #expect(await site.get(place, token: token).text.contains(#""state":"accepted""#))
        let payload = Array("\u{1}not JSON \"at all\"".utf8) + [0xFF, 0xFE]
        try receive(
            .copy(
                SharedCopy(
                    party: .clinic, subject: .maria, kind: "heart-rate", id: nil, grant: 4,
                    topic: "trackme/v1/house-12/parties/clinic/maria/heart-rate", payload: payload,
                    received: site.now, measured: nil)))
        let page = await site.get("/api/v1/party/shared?after=0&limit=10", token: token)
        #expect(page.text.contains(Data(payload).base64EncodedString()))
        #expect(
            page.text.contains(
                #""topic":"trackme/v1/house-12/parties/clinic/maria/heart-rate"}],"next":1,"suspended_subscriptions":[]}"#
            ))
        #expect(
            await site.get("/api/v1/party/shared?after=1", token: token).text
                == #"{"messages":[],"next":1,"suspended_subscriptions":[]}"#)
        let seen = await browser.get("/sharing").text
        #expect(seen.contains("Clinica clinic: Study"))
        #expect(seen.contains("Accepted on"))
        #expect(seen.contains("has read 1 messages"))

        #expect(await browser.post("/sharing/1/\(id)/end", []).status == 303)
        #expect(await site.get(place, token: token).text.contains(#""state":"withdrawn""#))
        #expect(
            await site.get("/api/v1/party/shared", token: token).text
                == #"{"messages":[],"next":0,"suspended_subscriptions":[]}"#)
        #expect(try await commands(site).contains { $0.contains(#""type":"withdraw""#) })
        #expect(await browser.get("/sharing").text.contains("Ended on"))
    }

    @Test
    func
        `the operator's end of a company reaches the house signed, however long it is away, and the page tells it`()
        async throws
    {
        let site = try await PartySite()
        try await site.addCompany()
        let browser = try await person(site, code)
        let token = try await site.token()
        let (_, id) = try await request(site, token)
        let yes = PartyEvent.answer(
            .clinic, id, by: .maria, .decided(.accepted, entry: 4, grant: 4), at: site.now)
        _ = try site.intake.keep([.party(yes)], at: site.now)
        _ = try await site.parties.change(.clinic, by: .suspend, as: "operator", at: site.now)
        #expect(try await site.requests.withdrawOwed(by: "Test clinic") == 0)
        let suspended = await browser.get("/sharing").text
        #expect(suspended.contains("has suspended this company") && suspended.contains("Accepted on"))
        _ = try await site.parties.change(.clinic, by: .close, as: "operator", at: site.now)
        #expect(try await site.requests.withdrawOwed(by: "Test clinic") == 1)
        #expect(await browser.get("/sharing").text.contains("has closed this company"))
        let withdrawal = #""cmd":{"person":"maria","request":"\#(id)","type":"withdraw"}"#
        let first = try await commands(site).filter { $0.contains(withdrawal) }
        #expect(first.count == 1 && first[0].contains(#""by":"Test clinic""#), "\(first)")
        // The house is away for three days.
        let sent = Recorder<[UInt8]>()
        let signer = CommandSigner(TrialSite.signer, as: try #require(IssuerID("trackme")))
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let clock = site.trial.parts.clock
        let loop = CommandLoop(
            commands: site.trial.stores.links, signer: signer, logger: logger, clock: clock,
            publish: { token, _ in sent.add(token) })
        for _ in 1...3 {
            site.trial.advance(86_400)
            try await site.trial.stores.links.expireCommands(at: site.now)
            try await loop.sendDue()
        }
        let claims = sent.values.map { token in
            let part = token.split(separator: UInt8(ascii: "."))[1]
            return String(decoding: Base64URL.decode(part) ?? [], as: UTF8.self)
        }
        #expect(claims.count { $0.contains(withdrawal) } == 3 && Set(claims + first).count == 4, "\(claims)")
        #expect(try await site.trial.stores.links.openCommandCount() == 1)
    }

    @Test func `a company sees its own requests alone`() async throws {
        let site = try await PartySite()
        try await site.addCompany()
        let key = CompanyKey(id: "study-key")
        try await site.addCompany(.study, key: key)
        let (mine, theirs) = (try await site.token(), try await site.token(.study, key: key))
        let asked = await site.post(
            "/api/v1/party/requests", body(code), token: mine, headers: ["idempotency-key": "1"])
        let place = try #require(asked.header("Location"))
        #expect(await site.get(place, token: theirs).status == 404)
        #expect(await site.get("/api/v1/party/requests", token: theirs).text == #"{"requests":[]}"#)
        #expect(await site.get("/api/v1/party/requests", token: mine).text.contains(#""state":"sent""#))
        for query in ["after=-1", "after=x", "limit=0", "limit=1001", "limit=x"] {
            #expect(await site.get("/api/v1/party/shared?\(query)", token: mine).status == 400)
        }
    }

    private func commands(_ site: PartySite, by prefix: String) async throws -> [OutgoingCommand] {
        try await site.trial.stores.links.due(at: site.now, most: 100).filter {
            $0.request?.text.hasPrefix(prefix) == true
        }
    }

    @Test func `without the code of the house a company finds nobody, and the page says each step`()
        async throws
    {
        let site = try await PartySite()
        try await site.addCompany()
        let token = try await site.token()
        let browser = site.trial.browser()
        await browser.register("maria")
        let account = try #require(try await site.trial.stores.accounts.account(named: UserName("maria")!))
        #expect(await !browser.get("/sharing").text.contains("Fiscal code"))
        _ = try await site.trial.stores.link(account.id, to: .maria, as: "link-1", at: site.now)
        #expect(await browser.get("/sharing").text.contains("in earlier versions no longer count: ask at home"))
        _ = try await request(site, token)
        #expect(try await commands(site).isEmpty, "nobody is asked")

        #expect(await browser.post("/sharing/1/code", []).status == 303)
        #expect(await browser.post("/sharing/1/code", []).status == 303, "a second press changes nothing")
        let questions = try await commands(site, by: "code-")
        #expect(questions.count == 1)
        let claims = String(
            decoding: Base64URL.decode(questions[0].token.split(separator: UInt8(ascii: "."))[1])!,
            as: UTF8.self)
        #expect(claims.contains(#""kinds":["profile-fiscal-code"]"#))
        #expect(claims.contains(#""party":{"id":"trackme-identity","name":"Test clinic"}"#))
        #expect(claims.contains("Each of them needs a yes of its own"))
        #expect(await browser.get("/sharing").text.contains("Answer at home: until then no company"))

        let id = try #require(questions[0].request)
        func give(_ code: String?, second: Int) throws {
            let lookUp = try code.map { site.trial.parts.sealer.lookUp(try FiscalCode($0)) }
            let fact = StoredFact(
                subject: .maria, value: .fiscalCode(lookUp: lookUp), request: id, time: site.now.later(second))
            _ = try site.intake.keep([.fact(fact)], at: site.now)
        }
        _ = try site.intake.keep([.decided(id.text, by: .maria, .accepted, entry: 2)], at: site.now)
        #expect(await browser.get("/sharing").text.contains("The code is on its way"))
        try give(nil, second: 1)
        let missing = await browser.get("/sharing").text
        #expect(
            missing.contains("there is no fiscal code at home")
                && missing.contains("homegateway profile set --fiscal-code"))
        try give(code, second: 2)
        let given = await browser.get("/sharing").text
        #expect(given.contains("Given by the house since") && !given.contains(code))
        let place = await site.post(
            "/api/v1/party/requests", body(code), token: token, headers: ["idempotency-key": "2"])
        #expect(place.status == 202)
        #expect(try await commands(site).count == 1)

        #expect(await browser.post("/sharing/1/end-code", []).status == 303)
        #expect(await browser.get("/sharing").text.contains("Ended on"))
        #expect(try await commands(site, by: "code-").map(\.isWithdrawal) == [true])
        _ = await site.post(
            "/api/v1/party/requests", body(code), token: token, headers: ["idempotency-key": "3"])
        #expect(try await commands(site).count == 1, "nobody is found any more")
    }

    @Test func `an account that looks, and one without the link, cannot ask for the code`() async throws {
        let site = try await PartySite()
        let neighbour = site.trial.browser()
        await neighbour.register("bruno")
        let account = try #require(try await site.trial.stores.accounts.account(named: UserName("bruno")!))
        _ = try await site.trial.stores.link(
            account.id, to: .maria, as: "link-1", role: .looks, at: site.now)
        let page = await neighbour.get("/sharing").text
        #expect(page.contains("Fiscal code") && !page.contains("/sharing/1/code"))
        #expect(await neighbour.post("/sharing/1/code", []).status == 403)
        let stranger = site.trial.browser()
        await stranger.register("paolo")
        #expect(await stranger.get("/sharing").text.contains("not linked to a person yet"))
        #expect(await stranger.post("/sharing/1/code", []).status == 404)
        #expect(await stranger.post("/sharing/1/end-code", []).status == 404)
        #expect(await stranger.post("/sharing/1/ask-1/end", []).status == 404)
        #expect(try await commands(site, by: "code-").isEmpty)
        #expect(await site.trial.browser().get("/sharing").header("Location") == "/sign-in")
    }
}
