import Accounts
import Foundation
import GatewayModel
import PageSecurity
import SiteSamples
import Store
import StoreSamples
import TestSupport
import Testing
import WebPages

/// Rules of the pages, asked as a browser asks them.
struct SiteTests {
    private let noon = TrialSite.noon
    private let password = "four walls, one door"
    private static let question = [("house", "house-12"), ("person", "maria"), ("code", "4821-7305")]

    // MARK: Registration and sign-in

    @Test func `a person registers, signs out and signs in again`() async throws {
        let trial = try await TrialSite()
        let browser = trial.browser()
        let answer = await browser.register("maria")
        #expect(answer.status == 303)
        #expect(answer.header("Location") == "/data")
        #expect(await browser.get("/data").status == 200)
        let account = await browser.get("/account")
        #expect(account.text.contains(#"value="Maria &lt;Rossi&gt;""#))

        #expect(await browser.post("/sign-out", []).status == 303)
        #expect(await browser.get("/data").header("Location") == "/sign-in")
        await browser.get("/sign-in")
        #expect(
            await browser.post("/sign-in", [("user", "MARIA"), ("password", password)]).status == 303)
        #expect(await browser.get("/data").status == 200)
    }

    @Test func `nobody registers without the agreement, with a taken name or with a weak password`()
        async throws
    {
        let trial = try await TrialSite()
        _ = await trial.browser().register("maria")
        let browser = trial.browser()
        await browser.get("/register")
        let good = [
            ("user", "anna"), ("name", "Anna"), ("password", password), ("again", password), ("agree", "yes"),
        ]
        let faults: [(String, String, String)] = [
            ("agree", "", "Without your agreement"), ("user", "maria", "is taken"),
            ("user", "a b", "no user name"),
            ("again", "other", "differ"), ("name", " ", "Write your name"),
        ]
        for (field, value, words) in faults {
            let fields = good.map { $0.0 == field ? (field, value) : $0 }
            let answer = await browser.post("/register", fields)
            #expect(answer.status == 422)
            #expect(answer.text.contains(words), "\(field)")
            #expect(!answer.text.contains(password))
        }
        let short = good.map { ["password", "again"].contains($0.0) ? ($0.0, "short") : $0 }
        #expect(await browser.post("/register", short).text.contains("too short"))
        #expect(try await trial.stores.accounts.accounts().map(\.user.text) == ["maria"])
    }

    @Test func `an unknown name and a wrong password get the same answer`() async throws {
        let trial = try await TrialSite()
        _ = await trial.browser().register("maria")
        let browser = trial.browser()
        await browser.get("/sign-in")
        let wrong = await browser.post("/sign-in", [("user", "maria"), ("password", "wrong wrong wrong")])
        let unknown = await browser.post("/sign-in", [("user", "nobody"), ("password", "wrong wrong wrong")])
        #expect(wrong.status == 422)
        #expect(unknown.status == 422)
        #expect(wrong.text.replacing("maria", with: "nobody") == unknown.text)
    }

    @Test func `after eight failures a name is refused even with its password, until the time is over`()
        async throws
    {
        let trial = try await TrialSite()
        _ = await trial.browser().register("maria")
        trial.advance(60)
        let browser = trial.browser()
        await browser.get("/sign-in")
        for _ in 0..<8 {
            #expect(await browser.post("/sign-in", [("user", "maria"), ("password", "wrong")]).status == 422)
        }
        let refused = await browser.post("/sign-in", [("user", "maria"), ("password", password)])
        #expect(refused.status == 429)
        trial.advance(901)
        #expect(await browser.post("/sign-in", [("user", "maria"), ("password", password)]).status == 303)
    }

    @Test func `a session token changes at the sign-in, and is only in its cookie`() async throws {
        let trial = try await TrialSite()
        let browser = trial.browser()
        await browser.get("/sign-in")
        let visitor = browser.cookies["__Host-trackme-visitor"]
        _ = await browser.register("maria")
        let session = try #require(browser.cookies["__Host-trackme"])
        #expect(visitor != session)
        #expect(browser.cookies["__Host-trackme-visitor"] == nil)
        for path in ["/data", "/links", "/sessions", "/account", "/agreement"] {
            #expect(await !browser.get(path).text.contains(session))
        }
    }

    // MARK: Protection

    @Test func `a form needs the origin of the server and the token of its own session`() async throws {
        let trial = try await TrialSite()
        let browser = trial.browser()
        _ = await browser.register("maria")
        await browser.get("/links")
        let fields = Self.question
        #expect(
            await browser.post("/links", fields, headers: ["origin": "https://evil.example"]).status == 403)
        #expect(await browser.post("/links", fields, headers: ["origin": "null"]).status == 403)
        #expect(await browser.post("/links", fields, headers: ["sec-fetch-site": "cross-site"]).status == 403)
        #expect(await browser.post("/links", fields, token: "").status == 403)
        let other = trial.browser()
        _ = await other.register("paolo")
        await other.get("/links")
        #expect(await browser.post("/links", fields, token: other.token).status == 403)
        #expect(await browser.post("/links", fields, headers: ["content-type": "text/plain"]).status == 400)
        #expect(try await trial.stores.links.openCommandCount() == 0)
        #expect(await browser.post("/links", fields).status == 303)
    }

    @Test func `a foreign host is refused before anything else`() async throws {
        let trial = try await TrialSite()
        let browser = trial.browser()
        #expect(await browser.get("/sign-in", headers: ["host": "evil.example"]).status == 421)
        #expect(await browser.get("/api/v1/me", headers: ["host": "evil.example"]).status == 421)
    }

    @Test func `every answer has the security headers, errors included`() async throws {
        let trial = try await TrialSite()
        let browser = trial.browser()
        for path in ["/sign-in", "/nothing", "/api/v1/me", "/health"] {
            let answer = await browser.get(path)
            let policy = try #require(answer.header("Content-Security-Policy"))
            #expect(policy.hasPrefix("default-src 'none'; script-src 'self';"))
            #expect(!policy.contains("unsafe"))
            #expect(answer.header("X-Content-Type-Options") == "nosniff")
            #expect(answer.header("Cache-Control") == "no-store")
        }
    }

    @Test func `each route that shows or changes data of a person asks for a session`() async throws {
        let trial = try await TrialSite()
        let open = [
            "/", "/sign-in", "/sign-in/passkey", "/sign-in/passkey/options", "/register",
            "/invitation/{secret}", "/agreement", "/health",
        ]
        for route in trial.routes where !open.contains(route.pattern) && !route.pattern.hasPrefix("/assets/") {
            #expect(route.access != .everybody, "\(route.pattern)")
            let path = route.pattern.replacing("{link}", with: "1").replacing("{session}", with: "1")
            let browser = trial.browser()
            await browser.get("/sign-in")
            let answer = await route.method == .get ? browser.get(path) : browser.post(path, [])
            #expect(answer.status == (route.style == .api ? 401 : 303), "\(route.pattern)")
        }
    }

    @Test func `hostile paths and forms get an answer`() async throws {
        let trial = try await TrialSite()
        let browser = trial.browser()
        _ = await browser.register("maria")
        for path in [
            "/..", "//", "/data//", "/data/%", "/data/%zz", "/data/%00", "/data/-1",
            "/data/99999999999999999999",
            "/data/1/csv/", String(repeating: "/a", count: 5_000), "/assets/../secret",
        ] {
            #expect(await browser.get(path).status == 404, "\(path.prefix(40))")
        }
        #expect(await browser.get("/data?x=%").status == 400)
        #expect(await browser.get("/data?x=%00").status == 400)
        #expect(await browser.get("/data?x=1&x=2").status == 400)
        let answer = await trial.site.answer(WebRequest(method: "BREW", path: "/data"))
        #expect(answer.status == 405)
        #expect(answer.headers.contains { $0.name == "Allow" && $0.value == "GET, HEAD" })
    }

    // MARK: Links

    @Test func `nothing of a person is shown before her yes, nor after her no`() async throws {
        let trial = try await TrialSite()
        let browser = trial.browser()
        _ = await browser.register("anna")
        await browser.get("/links")
        #expect(await browser.post("/links", Self.question).status == 303)
        _ = try trial.stores.intake.keep([.sample(.heartRate(71, at: noon, number: 1))], at: noon)
        let request = try #require(
            try await trial.stores.links.links(
                of: trial.stores.accounts.account(named: UserName("anna")!)!.id
            ).first?.request.text)
        let paths = [
            "/data/1", "/data/1/csv", "/data/1/live", "/api/v1/people/1/latest", "/api/v1/people/1/samples",
        ]
        for path in paths { #expect(await browser.get(path).status == 404) }

        _ = try trial.stores.intake.keep([.decided(request, by: .maria, .accepted, entry: 1)], at: noon)
        for path in paths { #expect(await browser.get(path).status == 200) }
        #expect(await browser.get("/data").header("Location") == "/data/1")
        #expect(await browser.get("/data/1").text.contains("71 bpm"))
        #expect(await browser.get("/data/1/csv?end=2026-03-01").text.contains(",heart-rate,71.0,/min,strap,"))

        let other = trial.browser()
        _ = await other.register("paolo")
        for path in paths { #expect(await other.get(path).status == 404) }

        _ = try trial.stores.intake.keep([.decided(request, by: .maria, .withdrawn, entry: 2)], at: noon)
        for path in paths { #expect(await browser.get(path).status == 404) }
    }

    @Test func `the question is a signed request of no kinds, by the reserved party`() async throws {
        let trial = try await TrialSite()
        let browser = trial.browser()
        _ = await browser.register("anna")
        await browser.get("/links")
        await browser.post("/links", Self.question)
        let command = try #require(try await trial.stores.links.due(at: noon.later(1), most: 5).first)
        let parts = command.token.split(separator: UInt8(ascii: "."))
        let claims = try #require(Base64URL.decode(parts[1]))
        let text = String(decoding: claims, as: UTF8.self)
        #expect(text.contains(#""kinds":[]"#))
        #expect(text.contains(#""party":{"id":"trackme-account","name":"Test clinic: anna"}"#))
        #expect(text.contains(#""aud":"house-12""#))
        #expect(text.contains(#""person":"maria""#))
        #expect(text.contains(#""code":"48217305""#))
    }

    @Test(arguments: ["48217305", " 4821 7305 ", "48-21-73-05", "482l-73o5", "48217305\u{20}"])
    func `a code is taken as people type it, and the house gets its digits alone`(_ typed: String) async throws
    {
        let trial = try await TrialSite()
        let browser = trial.browser()
        _ = await browser.register("anna")
        await browser.get("/links")
        let fields = [("house", "house-12"), ("person", "maria"), ("code", typed)]
        #expect(await browser.post("/links", fields).status == 303)
        let command = try #require(try await trial.stores.links.due(at: noon.later(1), most: 5).first)
        let digits = typed.contains("l") ? "48217305".replacing("7305", with: "7305") : "48217305"
        #expect(try claims(command).contains(#""code":"\#(digits)""#))
    }

    @Test(arguments: ["", "4821730", "482173055", "4821-73O5x", "the code"])
    func `without the eight digits of a code no house is asked, and the page says where they are`(
        _ code: String
    ) async throws {
        let trial = try await TrialSite()
        let browser = trial.browser()
        _ = await browser.register("anna")
        await browser.get("/links")
        let answer = await browser.post(
            "/links", [("house", "house-12"), ("person", "maria"), ("code", code)])
        #expect(answer.status == 422)
        #expect(answer.text.contains("The code has 8 digits. The screen of the house shows it"))
        #expect(code.isEmpty || !answer.text.contains("value=\"\(code)\""))
        #expect(try await trial.stores.links.openCommandCount() == 0)
    }

    @Test(arguments: [
        ("link-code-wrong", "The house shows no such code for this person", "La casa non mostra questo codice"),
        ("link-code-over", "too old, or void after wrong ones", "o annullato da codici sbagliati"),
        ("link-code-missing", "The house asks for a code now", "Ora la casa chiede un codice"),
        ("unknown-member", "software of this house is too old", "software di questa casa è troppo vecchio"),
    ])
    func `the page says in words why the house has refused the code, and the holder may ask again`(
        _ reason: String, _ english: String, _ italian: String
    ) async throws {
        let trial = try await TrialSite()
        let browser = trial.browser()
        _ = await browser.register("anna")
        await browser.get("/links")
        let fields = Self.question
        #expect(await browser.post("/links", fields).status == 303)
        let command = try #require(try await trial.stores.links.due(at: noon.later(1), most: 5).first)
        let answer = CommandAnswer(
            gateway: HousePerson.maria.gateway, command: command.id, refusal: reason, at: noon.later(2))
        _ = try trial.stores.intake.keep([.answer(answer)], at: noon.later(2))
        for (language, words) in [("en", english), ("it", italian)] {
            await browser.get("/account")
            await browser.post("/account", [("language", language)])
            let page = await browser.get("/links")
            #expect(page.text.contains(words), "\(page.text)")
        }
        #expect(await browser.get("/data/1").status == 404)
        #expect(await browser.post("/links", fields).status == 303)
    }

    @Test func `an account that looks sees the data, and does nothing for the person`() async throws {
        let trial = try await TrialSite()
        let browser = trial.browser()
        _ = await browser.register("bruno")
        await browser.get("/links")
        await browser.post("/links", Self.question)
        let command = try #require(try await trial.stores.links.due(at: noon.later(1), most: 5).first)
        #expect(try !claims(command).contains(#""role""#))
        _ = try trial.stores.intake.keep(
            [
                .decided(try #require(command.request).text, by: .maria, .accepted, entry: 1),
                .sample(.heartRate(71, at: noon, number: 1)),
            ], at: noon)

        #expect(await browser.get("/links").text.contains("You look only."))
        let page = await browser.get("/data/1")
        #expect(page.status == 200 && page.text.contains("71 bpm"))
        let house = await browser.get("/data/1/house")
        #expect(house.status == 200)
        #expect(!house.text.contains("/data/1/limits") && !house.text.contains("/data/1/interval"))
        for (path, fields) in [
            ("/data/1/limits", []), ("/data/1/limits/end", []),
            ("/data/1/interval", [("kind", "heart-rate"), ("seconds", "10")]),
        ] as [(String, [(String, String)])] {
            #expect(await browser.post(path, fields).status == 403, "\(path)")
        }
        #expect(try await trial.stores.links.openCommandCount() == 1)
        #expect(await browser.get("/api/v1/me").text.contains(#""role":"looks""#))

        // The same account may ask for more, and only the yes to that gives it.
        await browser.get("/links")
        await browser.post("/links/1/end", [])
        await browser.get("/links")
        await browser.post("/links", Self.question + [("role", "acts")])
        let account = try #require(try await trial.stores.accounts.account(named: UserName("bruno")!)).id
        let second = try #require(try await trial.stores.links.links(of: account).first)
        let asked = try await trial.stores.links.due(at: noon.later(1), most: 5).first {
            $0.request == second.request && !$0.isWithdrawal
        }
        #expect(try claims(try #require(asked)).contains(#""role":"acts""#))
        #expect(await browser.post("/data/2/limits", []).status == 404)
        _ = try trial.stores.intake.keep(
            [.decided(second.request.text, by: .maria, .accepted, entry: 2)], at: noon)
        #expect(await browser.post("/data/2/limits", []).status == 303)
        #expect(await browser.get("/data/2/house").text.contains("/data/2/limits/end"))
        #expect(await !browser.get("/links").text.contains("You look only."))
    }

    private func claims(_ command: OutgoingCommand) throws -> String {
        let part = command.token.split(separator: UInt8(ascii: "."))[1]
        return String(decoding: try #require(Base64URL.decode(part)), as: UTF8.self)
    }

    @Test func `a role that is unknown is refused`() async throws {
        let trial = try await TrialSite()
        let browser = trial.browser()
        _ = await browser.register("bruno")
        await browser.get("/links")
        let fields = Self.question + [("role", "owner")]
        #expect(await browser.post("/links", fields).status == 400)
        #expect(try await trial.stores.links.openCommandCount() == 0)
    }

    @Test func `a house that is not registered is not asked`() async throws {
        let trial = try await TrialSite()
        let browser = trial.browser()
        _ = await browser.register("anna")
        await browser.get("/links")
        let answer = await browser.post(
            "/links", [("house", "house-99"), ("person", "maria"), ("code", "4821-7305")])
        #expect(answer.status == 422)
        #expect(answer.text.contains("No house of this name"))
        #expect(try await trial.stores.links.openCommandCount() == 0)
    }

    @Test func `a third open question for a person is refused, and the page says what to do`() async throws {
        let trial = try await TrialSite()
        var answers: [Seen] = []
        for user in ["anna", "bruno", "carla"] {
            let browser = trial.browser()
            _ = await browser.register(user)
            await browser.get("/links")
            answers.append(await browser.post("/links", Self.question))
        }
        #expect(answers.map(\.status) == [303, 303, 422])
        #expect(answers[2].text.contains("Answer them at home first"))
        #expect(try await trial.stores.links.openCommandCount() == 2)
    }

    // MARK: Sessions and account

    @Test func `a session ends at once where it is ended, and another account cannot end it`() async throws {
        let trial = try await TrialSite()
        let first = trial.browser()
        _ = await first.register("maria")
        let second = trial.browser()
        await second.get("/sign-in")
        await second.post("/sign-in", [("user", "maria"), ("password", password)])
        let sessions = try await trial.stores.accounts.sessions(
            of: trial.stores.accounts.account(named: UserName("maria")!)!.id)
        #expect(sessions.count == 2)
        let own = try #require(SessionToken(first.cookies["__Host-trackme"] ?? "")?.id)

        let other = trial.browser()
        _ = await other.register("paolo")
        await other.get("/sessions")
        await other.post("/sessions/\(own.short)/end", [])
        #expect(await first.get("/data").status == 200)

        await second.get("/sessions")
        #expect(await second.post("/sessions/\(own.short)/end", []).status == 303)
        #expect(await first.get("/data").header("Location") == "/sign-in")
        #expect(await second.get("/data").status == 200)
        trial.advance(30 * 86_400)
        #expect(await second.get("/data").header("Location") == "/sign-in")
    }

    @Test(arguments: [AccountRole.dispatcher, .installer])
    func `a session of work ends after twelve hours, in the store and in the browser`(
        _ role: AccountRole
    ) async throws {
        let trial = try await TrialSite()
        let worker = NewAccount.sample("gino", at: noon)
        _ = try await trial.stores.accounts.add(
            NewAccount(
                user: worker.user,
                hash: try await Argon2Hasher().hash(
                    Password(chosen: password, for: worker.user), in: .registrations),
                identity: worker.identity, role: role, language: .english, agreement: worker.agreement,
                created: noon))
        let person = trial.browser()
        _ = await person.register("maria")
        let browser = trial.browser()
        await browser.get("/sign-in")
        let answer = await browser.post("/sign-in", [("user", "gino"), ("password", password)])
        #expect(
            answer.headers.contains {
                $0.value.hasPrefix("__Host-trackme=") && $0.value.hasSuffix("; Max-Age=43200")
            })
        trial.advance(12 * 3_600 - 1)
        #expect(await browser.get("/sessions").status == 200)
        trial.advance(1)
        #expect(await browser.get("/sessions").header("Location") == "/sign-in")
        #expect(await person.get("/sessions").status == 200)
    }

    @Test func `a disabled account is signed out at once and cannot sign in until it is enabled`()
        async throws
    {
        let trial = try await TrialSite()
        let browser = trial.browser()
        _ = await browser.register("maria")
        let accounts = trial.stores.accounts
        let maria = try #require(try await accounts.account(named: UserName("maria")!)).id
        try await accounts.disable(maria, at: noon)
        #expect(await browser.get("/account").header("Location") == "/sign-in")
        await browser.get("/sign-in")
        let refused = await browser.post("/sign-in", [("user", "maria"), ("password", password)])
        #expect(refused.status == 422)
        #expect(refused.text.contains("has disabled this account"))
        // Who does not know the password does not learn of it.
        let wrong = await browser.post("/sign-in", [("user", "maria"), ("password", "wrong wrong wrong")])
        #expect(wrong.status == 422)
        #expect(!wrong.text.contains("disabled"))

        try await accounts.enable(maria)
        #expect(await browser.post("/sign-in", [("user", "maria"), ("password", password)]).status == 303)
        #expect(await browser.get("/account").status == 200)
    }

    @Test func `an account is deleted with its password alone`() async throws {
        let trial = try await TrialSite()
        let browser = trial.browser()
        _ = await browser.register("maria")
        await browser.get("/account")
        #expect(await browser.post("/account/delete", [("password", "wrong wrong wrong")]).status == 422)
        #expect(try await trial.stores.accounts.accounts().count == 1)
        #expect(await browser.post("/account/delete", [("password", password)]).status == 303)
        #expect(try await trial.stores.accounts.accounts().isEmpty)
        #expect(await browser.get("/data").header("Location") == "/sign-in")
    }

    @Test func `the pages speak the language of the browser, and that of the account`() async throws {
        let trial = try await TrialSite()
        let browser = trial.browser()
        let italian = await browser.get("/sign-in", headers: ["accept-language": "it-IT,it;q=0.9"])
        #expect(italian.text.contains(#"<html lang="it">"#))
        #expect(italian.text.contains("Nome utente"))
        _ = await browser.register("maria")
        await browser.get("/account")
        await browser.post("/account", [("language", "it")])
        #expect(await browser.get("/account").text.contains("Elimina l&#39;account"))
    }

    // MARK: API

    @Test func `the API pages readings by id, and refuses what it cannot read`() async throws {
        let trial = try await TrialSite()
        let browser = trial.browser()
        _ = await browser.register("anna")
        let anna = try #require(try await trial.stores.accounts.account(named: UserName("anna")!)).id
        _ = try await trial.stores.link(anna, to: .maria, as: "link-a", at: noon)
        let samples = (1...5).map { StoredSample.heartRate(Double(60 + $0), at: noon.later($0), number: $0) }
        _ = try trial.stores.intake.keep(samples.map { .sample($0) }, at: noon)
        struct Page: Decodable {
            struct Sample: Decodable {
                let id: String
                let value: Double
            }
            let samples: [Sample]
        }
        let first = try JSONDecoder().decode(
            Page.self, from: Data(await browser.get("/api/v1/people/1/samples?limit=3").text.utf8))
        #expect(first.samples.map(\.value) == [61, 62, 63])
        let after = try #require(first.samples.last?.id)
        let second = try JSONDecoder().decode(
            Page.self,
            from: Data(await browser.get("/api/v1/people/1/samples?limit=3&after=\(after)").text.utf8))
        #expect(second.samples.map(\.value) == [64, 65])
        for query in ["limit=0", "limit=1001", "limit=x", "kind=mood", "after=1"] {
            let answer = await browser.get("/api/v1/people/1/samples?\(query)")
            #expect(answer.status == 400)
            #expect(answer.header("Content-Type") == "application/problem+json")
            #expect(answer.text.contains(#""type":"urn:trackme:problem:bad-request""#))
        }
        #expect(
            await browser.get("/api/v1/me").text
                == #"{"links":[{"gateway":"house-12","id":1,"person":"maria","role":"acts","state":"linked"}],"#
                + #""user":"anna"}"#
        )
        #expect(
            await browser.get("/api/v1/people/1/latest").text
                == #"{"values":[{"device":"strap","kind":"heart-rate","time":"2026-03-01T12:00:05.000Z","unit":"/min","value":65.0}]}"#
        )
    }
}
