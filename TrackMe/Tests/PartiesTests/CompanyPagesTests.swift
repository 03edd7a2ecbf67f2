import Crypto
import GatewayModel
import Parties
import SiteSamples
import Testing

/// Rules of the registration of companies, asked as a browser asks them.
struct CompanyPagesTests {
    private let key = CompanyKey(id: "2026")

    private func fields(_ id: String = "clinic") -> [(String, String)] {
        [
            ("name", "Clinica <Verdi>"), ("vat", "IT 00743110157"), ("id", id),
            ("contact", "it@clinic.example"),
            ("key", key.jwk),
        ]
    }

    @Test func `a company applies, and waits for the operator`() async throws {
        let site = try await PartySite()
        let browser = site.trial.browser()
        #expect(await browser.get("/sign-in").text.contains("href=\"/parties/register\""))
        #expect(await browser.get("/parties/register").status == 200)
        let answer = await browser.post("/parties/register", fields())
        #expect(answer.status == 303)
        let next = try #require(answer.header("Location"))
        #expect(await browser.get(next).text.contains("has been received"))
        let party = try #require(try await site.parties.party(PartyID("clinic")!))
        #expect(party.state == .applied)
        #expect(party.name == "Clinica <Verdi>")
        #expect(party.vat.text == "IT00743110157")
        #expect(party.keys.key("2026")?.jwk.contains("Ed25519") == true)
    }

    @Test func `each mistake is told at its field, and the rest of the form stays`() async throws {
        let site = try await PartySite()
        let browser = site.trial.browser()
        await browser.get("/parties/register")
        let withSecret = key.jwk.dropLast() + #","d":"\#(Base64URL.encode(Array(key.key.rawRepresentation)))"}"#
        let mistakes: [(String, String, String)] = [
            ("vat", "IT00743110158", "check digit"), ("vat", "US1", "form of a VAT number"),
            ("id", "Clinic!", "no short name"), ("id", "trackme-account", "no short name"),
            ("contact", "clinic", "no mail address"), ("name", "", "Write the name"),
            ("key", "{}", "no public JWK"), ("key", String(withSecret), "no public JWK"),
            ("key", String(repeating: "[", count: 5_000), "no public JWK"),
        ]
        for (field, value, words) in mistakes {
            let answer = await browser.post(
                "/parties/register", fields().map { $0.0 == field ? (field, value) : $0 })
            #expect(answer.status == 422)
            #expect(answer.text.contains(words), "\(field) \(value.prefix(20))")
            #expect(field == "name" || answer.text.contains("Clinica &lt;Verdi&gt;"))
        }
        #expect(try await site.parties.parties().isEmpty)
    }

    @Test func `a short name is given once, and eight tries for one are the limit`() async throws {
        let site = try await PartySite()
        let browser = site.trial.browser()
        await browser.get("/parties/register")
        #expect(await browser.post("/parties/register", fields()).status == 303)
        await browser.get("/parties/register")
        for _ in 0..<8 {
            let answer = await browser.post("/parties/register", fields())
            #expect(answer.status == 422)
            #expect(answer.text.contains("is taken"))
        }
        #expect(await browser.post("/parties/register", fields()).status == 429)
        await browser.get("/parties/register")
        #expect(await browser.post("/parties/register", fields("other")).status == 303)
    }

    @Test func `the page speaks Italian, and a foreign form is refused`() async throws {
        let site = try await PartySite()
        let browser = site.trial.browser()
        let page = await browser.get("/parties/register", headers: ["accept-language": "it"])
        #expect(page.text.contains("Partita IVA"))
        #expect(
            await browser.post("/parties/register", fields(), headers: ["origin": "https://evil.example"])
                .status
                == 403)
        #expect(await browser.post("/parties/register", fields(), token: "other").status == 403)
    }
}
