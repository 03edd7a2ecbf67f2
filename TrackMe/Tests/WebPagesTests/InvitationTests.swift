import Accounts
import GatewayModel
import PageSecurity
import SiteSamples
import Store
import StoreSamples
import Testing
import WebPages

/// The page behind a link of the operator.
struct InvitationTests {
    private static let other = "three boats and a heron"

    private let trial: TrialSite
    private let anna: AccountID

    init() async throws {
        trial = try await TrialSite(migrations: AuditLog.migrations)
        anna = try await trial.addAccount("anna", .dispatcher)
    }

    /// Invites Anna, and returns the path of her link.
    private func invite() async throws -> String {
        let now = trial.parts.clock()
        let invitation = Invitation(at: now)
        try await trial.stores.accounts.invite(
            anna, by: invitation, hash: PasswordHash(encoded: "nobody's"), at: now)
        return "/invitation/" + invitation.secret.text
    }

    private func answer(_ browser: TrialBrowser, _ path: String, _ changes: [String: String] = [:]) async
        -> Seen
    {
        let fields = ["password": Self.other, "again": Self.other, "agree": "yes"].merging(changes) { $1 }
        return await browser.post(path, fields.sorted { $0.key < $1.key })
    }

    @Test func `a link lets its user choose the password, once, and signs the user in`() async throws {
        let old = trial.browser()
        #expect(await old.signIn("anna").status == 303)
        let path = try await invite()
        #expect(await old.get("/account").header("Location") == "/sign-in", "the invitation ends the sessions")
        #expect(await trial.browser().signIn("anna").status == 422, "the old password is gone")

        trial.advance(3_600)
        let browser = trial.browser()
        let page = await browser.get(path)
        #expect(page.status == 200 && page.text.contains("Gino Bianchi") && page.text.contains("anna"))
        #expect(await browser.get(path).status == 200, "a look at the page uses nothing up")
        #expect(await answer(browser, path).header("Location") == "/desk")
        #expect(await browser.get("/account").text.contains("anna"))
        #expect(
            try await trial.stores.accounts.account(anna)?.agreement
                == AgreementConsent(
                    version: AgreementConsent.currentVersion, at: TrialSite.noon.later(3_600)))
        #expect(await trial.browser().signIn("anna", password: Self.other).status == 303)
        #expect(try trial.file.allRows().allSatisfy { !$0.hasPrefix("invitation ") })

        let late = trial.browser()
        let gone = await late.get(path)
        #expect(gone.status == 404 && gone.text.contains("This link does not work"))
        await late.get("/sign-in")
        #expect(
            await answer(late, path, ["password": "other words here", "again": "other words here"]).status
                == 404)
        #expect(await trial.browser().signIn("anna", password: Self.other).status == 303)
    }

    @Test func `a form with a fault changes nothing, and says why`() async throws {
        let path = try await invite()
        let browser = trial.browser()
        await browser.get(path)
        for (field, value, words) in [
            ("agree", "", "Without your agreement"), ("again", "other", "differ"),
            ("password", "short", "too short"),
        ] {
            let seen = await answer(browser, path, [field: value])
            #expect(seen.status == 422 && seen.text.contains(words), "\(field)")
            #expect(!seen.text.contains(Self.other))
        }
        #expect(await answer(browser, path).status == 303)
    }

    @Test func `a link ends after three days, with a newer one, and with the account`() async throws {
        let first = try await invite()
        let second = try await invite()
        let browser = trial.browser()
        #expect(await browser.get(first).status == 404)
        #expect(await browser.get(second).status == 200)
        trial.advance(3 * 86_400)
        #expect(await browser.get(second).status == 404)
        #expect(await answer(browser, second).status == 404)

        let third = try await invite()
        await browser.get(third)
        try await trial.stores.accounts.disable(anna, at: trial.parts.clock())
        #expect(await answer(browser, third).status == 404)
        try await trial.stores.accounts.enable(anna)
        #expect(await browser.get(third).status == 404, "an account that was disabled needs a new link")
    }

    @Test(arguments: ["", "x", String(repeating: "A", count: 43), String(repeating: "A", count: 5_000), "%00"])
    func `a secret that nobody made opens nothing`(_ secret: String) async throws {
        _ = try await invite()
        let browser = trial.browser()
        #expect(await browser.get("/invitation/" + secret).status == 404)
        #expect(await answer(browser, "/invitation/" + secret).status >= 400)
        #expect(await browser.get("/account").header("Location") == "/sign-in")
    }
}
