import Accounts
import Foundation
import GatewayModel
import SiteSamples
import Store
import Testing

/// Passkeys at the pages.
struct PasskeyTests {
    private let attacker = ClientAddress([203, 0, 113, 1])

    private func site(passkeys: Bool = true) async throws -> TrialSite {
        let trial = try await TrialSite(migrations: AuditLog.migrations, passkeys: passkeys)
        for (user, role) in [("anna", AccountRole.dispatcher), ("gino", .installer), ("maria", .person)] {
            try await trial.addAccount(user, role)
        }
        return trial
    }

    /// A browser in which the user has signed in and added a passkey.
    private func browser(
        _ trial: TrialSite, _ user: String, _ device: TrialAuthenticator
    ) async throws -> TrialBrowser {
        let browser = trial.browser()
        #expect(await browser.signIn(user).status == 303)
        #expect(try await browser.addPasskey(device).header("Location") == "/account/passkeys?changed=added")
        return browser
    }

    private func refusal(_ answer: Seen) -> String? {
        answer.header("Location").flatMap { $0.firstMatch(of: /^\/sign-in\?passkey=(.+)$/) }.map {
            String($0.1)
        }
    }

    @Test(arguments: [("anna", "/desk"), ("gino", "/fleet"), ("maria", "/data")])
    func `a passkey signs its user in, in a browser that has never seen her`(
        user: String, first: String
    ) async throws {
        let trial = try await site()
        for algorithm in TrialAuthenticator.Algorithm.allCases {
            let device = TrialAuthenticator(algorithm)
            _ = try await browser(trial, user, device)
            let other = trial.browser(from: attacker)
            #expect(try await other.signIn(by: device).header("Location") == first)
            #expect(await other.get("/account").text.contains(user))
        }
    }

    @Test func `a passkey signs in while the name is locked and each lane of passwords is full`() async throws {
        let trial = try await site()
        let device = TrialAuthenticator()
        _ = try await browser(trial, "anna", device)
        for number in 0..<160 {
            let browser = trial.browser(from: ClientAddress([203, 0, 113, UInt8(number)]))
            await browser.signIn(number < 8 ? "anna" : "nobody\(number)", password: "wrong wrong wrong")
        }
        let fresh = trial.browser(from: ClientAddress([198, 51, 100, 1]))
        #expect(await fresh.signIn("anna").status == 429)
        #expect(try await fresh.signIn(by: device).header("Location") == "/desk")
    }

    @Test func `an addition needs the password, a name, and the session that asked for it`() async throws {
        let trial = try await site()
        let device = TrialAuthenticator()
        let browser = trial.browser()
        await browser.signIn("anna")
        #expect(try await browser.addPasskey(device, password: "wrong wrong wrong").status == 422)
        #expect(try await browser.addPasskey(device, named: " ").status == 422)
        #expect(try await browser.addPasskey(device, named: String(repeating: "x", count: 41)).status == 422)

        await browser.get("/account/passkeys")
        let form = [("name", "phone"), ("current", TrialSite.password)]
        let page = await browser.post("/account/passkeys/new", form)
        let fields =
            [("name", "phone")] + (try device.make(at: page, await browser.get("/account/passkeys/options")))
        let second = trial.browser()
        await second.signIn("anna")
        await second.get("/account")
        #expect(await second.post("/account/passkeys", fields).status == 422)
        #expect(await second.get("/account/passkeys").text.contains("You have no passkey."))
        #expect(await browser.post("/account/passkeys", fields).status == 303)
        // The same once more, and another challenge for the device.
        #expect(await browser.post("/account/passkeys", fields).status == 422)
        #expect(device.isExcluded(by: await browser.get("/account/passkeys/options")))
        #expect(try await browser.addPasskey(device).text.contains("known already"))
    }

    @Test func `an addition after five minutes is refused`() async throws {
        let trial = try await site()
        let device = TrialAuthenticator()
        let browser = trial.browser()
        await browser.signIn("anna")
        await browser.get("/account/passkeys")
        let page = await browser.post(
            "/account/passkeys/new", [("name", "phone"), ("current", TrialSite.password)])
        let fields =
            [("name", "phone")] + (try device.make(at: page, await browser.get("/account/passkeys/options")))
        trial.advance(300)
        #expect(await browser.post("/account/passkeys", fields).text.contains("more than five minutes"))
    }

    @Test func `a device that does not check its user neither adds a passkey nor signs in`() async throws {
        let trial = try await site()
        let device = TrialAuthenticator()
        device.verifiesUser = false
        let other = trial.browser()
        await other.signIn("anna")
        #expect(try await other.addPasskey(device).text.contains("did not check"))
        device.verifiesUser = true
        _ = try await browser(trial, "anna", device)
        device.verifiesUser = false
        #expect(refusal(try await trial.browser().signIn(by: device)) == "refused")
    }

    @Test func `an answer signs in once, in its own browser, within five minutes`() async throws {
        let trial = try await site()
        let device = TrialAuthenticator()
        _ = try await browser(trial, "anna", device)

        let own = trial.browser()
        await own.get("/sign-in")
        let fields = try device.sign(await own.get("/sign-in/passkey/options"))
        let thief = trial.browser()
        await thief.get("/sign-in")
        #expect(refusal(await thief.post("/sign-in/passkey", fields)) == "refused")

        let (visitor, token) = (own.cookies, own.token)
        #expect(await own.post("/sign-in/passkey", fields).header("Location") == "/desk")
        // The thief has the cookie of the visitor as well.
        let cookie = visitor.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        let again = await thief.post("/sign-in/passkey", fields, headers: ["cookie": cookie], token: token)
        #expect(refusal(again) == "refused")

        let late = trial.browser()
        await late.get("/sign-in")
        let old = try device.sign(await late.get("/sign-in/passkey/options"))
        trial.advance(300)
        #expect(refusal(await late.post("/sign-in/passkey", old)) == "late")
        #expect(try await late.signIn(by: device).header("Location") == "/desk")
    }

    @Test func `an answer of another site, or for another user, does not sign in`() async throws {
        let trial = try await site()
        let (device, other) = (TrialAuthenticator(), TrialAuthenticator())
        _ = try await browser(trial, "anna", device)
        _ = try await browser(trial, "maria", other)
        device.origin = "https://trackme.example.net"
        #expect(refusal(try await trial.browser().signIn(by: device)) == "refused")
        device.origin = TrialSite.origin
        for field in ["credential", "signature", "handle"] {
            let browser = trial.browser()
            await browser.get("/sign-in")
            let options = await browser.get("/sign-in/passkey/options")
            let wrong = Dictionary(uniqueKeysWithValues: try other.sign(options))
            let fields = try device.sign(options).map { ($0.0, $0.0 == field ? wrong[field]! : $0.1) }
            #expect(refusal(await browser.post("/sign-in/passkey", fields)) == "refused", "\(field)")
        }
        #expect(try await trial.browser().signIn(by: device).header("Location") == "/desk")
    }

    @Test func `a removed passkey does not sign in, and the account is told of each change`() async throws {
        let trial = try await site()
        let device = TrialAuthenticator()
        let browser = try await browser(trial, "anna", device)
        let page = await browser.get("/account/passkeys")
        #expect(page.text.contains("phone") && page.text.contains("a passkey was added"))
        let path = String(try #require(page.text.firstMatch(of: /action="([^"]+\/remove)"/)).1)

        let maria = trial.browser()
        await maria.signIn("maria")
        await maria.get("/account")
        await maria.post(path, [])
        #expect(!(await maria.get("/account/passkeys").text.contains("was removed")))
        #expect(try await trial.browser().signIn(by: device).status == 303)

        #expect(await browser.post(path, []).header("Location") == "/account/passkeys?changed=removed")
        #expect(refusal(try await trial.browser().signIn(by: device)) == "refused")
        #expect(await browser.get("/account/passkeys").text.contains("a passkey was removed"))
        #expect(await trial.browser().get("/sign-in?passkey=refused").text.contains("does not sign in here"))
    }

    @Test func `a new password leaves the passkeys, and one of the operator removes them`() async throws {
        let trial = try await site()
        let device = TrialAuthenticator()
        let browser = try await browser(trial, "anna", device)
        let new = "a lamp, two rivers, no moon"
        await browser.get("/account")
        #expect(
            await browser.post(
                "/account/password", [("current", TrialSite.password), ("password", new), ("again", new)]
            ).status == 303)
        #expect(await browser.get("/account").text.contains("A new password does not remove them."))
        #expect(try await trial.browser().signIn(by: device).header("Location") == "/desk")

        let account = try #require(try await trial.stores.accounts.account(named: UserName("anna")!))
        #expect(try await trial.stores.passkeys.counts() == [account.id: 1])
        try await trial.stores.accounts.reset(account.hash, of: account.id, at: TrialSite.noon)
        #expect(try await trial.stores.passkeys.counts() == [:])
        #expect(refusal(try await trial.browser().signIn(by: device)) == "refused")
        await browser.signIn("anna", password: new)
        #expect(await browser.get("/account/passkeys").text.contains("the operator gave the account"))
    }

    @Test func `a disabled account is closed to its passkeys as well`() async throws {
        let trial = try await site()
        let device = TrialAuthenticator()
        _ = try await browser(trial, "anna", device)
        let account = try #require(try await trial.stores.accounts.account(named: UserName("anna")!)).id
        try await trial.stores.accounts.disable(account, at: TrialSite.noon)
        let browser = trial.browser()
        #expect(refusal(try await browser.signIn(by: device)) == "disabled")
        #expect(await browser.get("/account").header("Location") == "/sign-in")
        try await trial.stores.accounts.enable(account)
        trial.advance(1)
        #expect(try await browser.signIn(by: device).header("Location") == "/desk")
    }

    @Test func `a counter that is not ahead refuses the sign-in, and the account is told`() async throws {
        let trial = try await site()
        let device = TrialAuthenticator(counter: 5)
        let browser = try await browser(trial, "anna", device)
        #expect(try await trial.browser().signIn(by: device).header("Location") == "/desk")
        trial.advance(1)
        device.counter = 5
        #expect(refusal(try await trial.browser().signIn(by: device)) == "copied")
        trial.advance(1)
        device.counter = 0
        #expect(refusal(try await trial.browser().signIn(by: device)) == "copied")
        #expect(await browser.get("/account/passkeys").text.contains("there may be a copy of a passkey"))
        trial.advance(1)
        device.counter = 7
        #expect(try await trial.browser().signIn(by: device).header("Location") == "/desk")
    }

    @Test func `failed sign-ins by passkeys are bounded by the client address, and bind no other one`()
        async throws
    {
        let trial = try await site()
        let (device, unknown) = (TrialAuthenticator(), TrialAuthenticator())
        let known = try await browser(trial, "anna", device)
        let browser = trial.browser(from: attacker)
        for _ in 0..<20 { #expect(refusal(try await browser.signIn(by: unknown)) == "refused") }
        #expect(refusal(try await browser.signIn(by: unknown)) == "busy")
        #expect(refusal(try await browser.signIn(by: device)) == "busy")
        #expect(try await trial.browser().signIn(by: device).status == 303)
        // Passwords have counts of their own, as has a browser that is known.
        #expect(await browser.signIn("maria").status == 303)
        await known.get("/account")
        await known.post("/sign-out", [])
        trial.advance(1)
        #expect(try await known.signIn(by: device).header("Location") == "/desk")
    }

    @Test func `an account has ten passkeys at most`() async throws {
        let trial = try await site()
        let browser = trial.browser()
        await browser.signIn("anna")
        for number in 0..<10 {
            #expect(try await browser.addPasskey(TrialAuthenticator(), named: "key \(number)").status == 303)
        }
        #expect(try await browser.addPasskey(TrialAuthenticator()).text.contains("which is the most"))
    }

    @Test func `a form without the answer of a browser is a bad request`() async throws {
        let trial = try await site()
        let browser = trial.browser()
        await browser.get("/sign-in")
        #expect(await browser.post("/sign-in/passkey", [("credential", "?")]).status == 400)
        #expect(
            refusal(
                await browser.post(
                    "/sign-in/passkey",
                    [
                        ("credential", ""), ("client", ""), ("authenticator", ""), ("signature", ""),
                        ("handle", ""),
                    ])) == "refused")
        #expect(await browser.post("/sign-in/passkey", [], token: "other").status == 403)
        await browser.signIn("anna")
        await browser.get("/account")
        #expect(await browser.post("/account/passkeys", [("name", "phone")]).status == 422)
    }

    @Test func `a server whose address is no name offers no passkeys`() async throws {
        let trial = try await site(passkeys: false)
        let browser = trial.browser()
        #expect(!(await browser.get("/sign-in").text.contains("passkey")))
        #expect(await browser.get("/sign-in/passkey/options").status == 404)
        await browser.signIn("anna")
        #expect(!(await browser.get("/account").text.contains("passkey")))
    }

    @Test func `an export has the names of the passkeys, and no key`() async throws {
        let trial = try await site()
        let device = TrialAuthenticator()
        let browser = try await browser(trial, "anna", device)
        let text = await browser.get("/account/export/json").text
        #expect(text.contains(#""passkeys":[{"name":"phone","added":"#))
    }
}
