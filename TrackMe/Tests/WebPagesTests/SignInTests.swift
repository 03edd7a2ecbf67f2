import Accounts
import GatewayModel
import PageSecurity
import SiteSamples
import Store
import Testing
import WebPages

/// Limits of wrong tries to sign in, asked as browsers ask.
struct SignInTests {
    private let wrong = "wrong wrong wrong"
    private let attacker = ClientAddress([203, 0, 113, 1])

    /// Signs in with a wrong password until the server refuses further tries. Returns the number of tries before.
    private func tries(_ browser: TrialBrowser, as user: (Int) -> String) async -> Int {
        await browser.get("/sign-in")
        for number in 0..<200 {
            let answer = await browser.post("/sign-in", [("user", user(number)), ("password", wrong)])
            if answer.status == 429 { return number }
            #expect(answer.status == 422)
        }
        return 200
    }

    @Test func `one address spends twenty wrong tries, and no other address pays for it`() async throws {
        let trial = try await TrialSite()
        try await trial.addAccount("maria", .person)
        #expect(await tries(trial.browser(from: attacker)) { "nobody\($0)" } == 20)
        // A right sign-in in between gives none back.
        let second = ClientAddress([203, 0, 113, 2])
        #expect(await trial.browser(from: second).signIn("nobody", password: wrong).status == 422)
        #expect(await trial.browser(from: second).signIn("maria").status == 303)
        #expect(await tries(trial.browser(from: second)) { "nobody\($0)" } == 19)
        #expect(await trial.browser(from: ClientAddress([203, 0, 113, 3])).signIn("maria").status == 303)
        trial.advance(901)
        #expect(await trial.browser(from: attacker).signIn("maria").status == 303)
    }

    @Test func `an IPv6 address is counted with its network of 64 bits`() async throws {
        let trial = try await TrialSite()
        try await trial.addAccount("maria", .person)
        func address(_ network: UInt8, _ host: UInt8) -> ClientAddress {
            ClientAddress([0x20, 1, 0xD, 0xB8, 0, 0, 0, network] + [UInt8](repeating: host, count: 8))
        }
        for number in 0..<20 {
            let browser = trial.browser(from: address(1, UInt8(number)))
            #expect(await browser.signIn("nobody\(number)", password: wrong).status == 422)
        }
        #expect(await trial.browser(from: address(1, 99)).signIn("maria").status == 429)
        #expect(await trial.browser(from: address(2, 99)).signIn("maria").status == 303)
    }

    @Test func `right sign-ins of one account from one address leave the others room`() async throws {
        let trial = try await TrialSite()
        try await trial.addAccount("mallory", .person)
        try await trial.addAccount("maria", .person)
        var admitted = 0
        for _ in 0..<40 {
            if await trial.browser(from: attacker).signIn("mallory").status == 303 { admitted += 1 }
        }
        #expect(admitted == 30)
        // Nor by a browser that is known.
        let known = trial.browser()
        for _ in 0..<40 {
            guard await known.signIn("mallory").status == 303 else { continue }
            admitted += 1
            await known.get("/account")
            await known.post("/sign-out", [])
        }
        #expect(admitted == 30 + 1 + 30)
        #expect(await trial.browser(from: ClientAddress([203, 0, 113, 2])).signIn("maria").status == 303)
    }

    @Test func `registrations do not spend the tries of those who sign in`() async throws {
        let trial = try await TrialSite()
        try await trial.addAccount("maria", .person)
        var statuses: [Int: Int] = [:]
        for number in 0..<152 {
            let client = ClientAddress([203, 0, 113, UInt8(number)])
            statuses[await trial.browser(from: client).register("nobody\(number)").status, default: 0] += 1
        }
        #expect(statuses == [303: 150, 429: 2])
        #expect(await trial.browser().signIn("maria").status == 303)
    }

    @Test func `a browser that has signed in passes the limit of the name, and has one of its own`()
        async throws
    {
        let trial = try await TrialSite()
        try await trial.addAccount("maria", .person)
        let known = trial.browser()
        #expect(await known.signIn("maria").status == 303)
        await known.get("/account")
        #expect(await known.post("/sign-out", []).status == 303)

        #expect(await tries(trial.browser()) { _ in "maria" } == 8)
        #expect(await trial.browser().signIn("maria").status == 429)
        #expect(await known.signIn("maria").status == 303)
        await known.get("/account")
        await known.post("/sign-out", [])
        // The strangers' tries go on to count.
        #expect(await trial.browser().signIn("maria").status == 429)

        #expect(await tries(known) { _ in "maria" } == 8)
        #expect(await known.signIn("maria").status == 429)
        trial.advance(901)
        #expect(await known.signIn("maria").status == 303)
    }

    @Test func `a browser is known to each account that has signed in there, and to no other one`() async throws
    {
        let trial = try await TrialSite()
        for user in ["anna", "bruno"] { try await trial.addAccount(user, .dispatcher) }
        try await trial.addAccount("carla", .dispatcher)
        let desk = trial.browser()
        for user in ["anna", "bruno"] {
            #expect(await desk.signIn(user).status == 303)
            await desk.get("/account")
            await desk.post("/sign-out", [])
        }
        for user in ["anna", "bruno", "carla"] { _ = await tries(trial.browser()) { _ in user } }
        #expect(await desk.signIn("carla").status == 429)
        for user in ["anna", "bruno"] {
            #expect(await desk.signIn(user).status == 303)
            await desk.get("/account")
            await desk.post("/sign-out", [])
        }
    }

    @Test func `the cookie of a known browser is for this server alone, and lasts 180 days`() async throws {
        let trial = try await TrialSite()
        try await trial.addAccount("maria", .person)
        let browser = trial.browser()
        let answer = await browser.signIn("maria")
        let cookie = try #require(answer.headers.first { $0.value.hasPrefix("__Host-trackme-browser=") }?.value)
        for attribute in ["Path=/", "Secure", "HttpOnly", "SameSite=Lax", "Max-Age=15552000"] {
            #expect(cookie.contains("; " + attribute), "\(attribute)")
        }
        #expect(!answer.text.contains(try #require(browser.cookies["__Host-trackme-browser"])))
        await browser.get("/account")
        await browser.post("/sign-out", [])
        trial.advance(180 * 86_400)
        _ = await tries(trial.browser()) { _ in "maria" }
        #expect(await browser.signIn("maria").status == 429)
    }

    @Test func `a secret that the server has not made is replaced`() async throws {
        let trial = try await TrialSite()
        try await trial.addAccount("maria", .person)
        let planted = "__Host-trackme-browser=\(SessionToken().cookieValue)"
        let browser = trial.browser()
        await browser.get("/sign-in")
        let visitor = try #require(browser.cookies["__Host-trackme-visitor"])
        let answer = await browser.post(
            "/sign-in", [("user", "maria"), ("password", TrialSite.password)],
            headers: ["cookie": "__Host-trackme-visitor=\(visitor); \(planted)"])
        #expect(answer.status == 303)
        #expect(answer.headers.contains { $0.value.hasPrefix("__Host-trackme-browser=") })
        #expect(!answer.headers.contains { $0.value.hasPrefix(planted) })
    }

    @Test(arguments: ["/sessions/end-others", "/account/password"])
    func `a new password and the end of all other sessions make the other browsers strangers`(
        path: String
    ) async throws {
        let trial = try await TrialSite()
        try await trial.addAccount("maria", .person)
        let (lost, own) = (trial.browser(), trial.browser())
        for browser in [lost, own] { #expect(await browser.signIn("maria").status == 303) }
        let new = "a lamp, two rivers, no moon"
        #expect(await own.get(path == "/account/password" ? "/account" : "/sessions").text.contains(path))
        let answer = await own.post(
            path, [("current", TrialSite.password), ("password", new), ("again", new)])
        #expect(answer.status == 303)
        #expect(await lost.get("/data").header("Location") == "/sign-in")
        #expect(await own.get("/data").status == 200)
        await own.get("/account")
        await own.post("/sign-out", [])

        _ = await tries(trial.browser()) { _ in "maria" }
        let password = path == "/account/password" ? new : TrialSite.password
        #expect(await lost.signIn("maria", password: password).status == 429)
        #expect(await own.signIn("maria", password: password).status == 303)
    }

    @Test func `a session changes its password while strangers try the name`() async throws {
        let trial = try await TrialSite()
        try await trial.addAccount("maria", .person)
        let browser = trial.browser()
        await browser.signIn("maria")
        _ = await tries(trial.browser()) { _ in "maria" }
        let new = "a lamp, two rivers, no moon"
        await browser.get("/account")
        let answer = await browser.post(
            "/account/password", [("current", TrialSite.password), ("password", new), ("again", new)])
        #expect(answer.status == 303)
    }

    /// While strangers are refused, the answer must not tell that a name is a dispatcher's.
    @Test func `a refused name and the wrong password of a dispatcher get the same answer after the same time`()
        async throws
    {
        let trial = try await TrialSite()
        try await trial.addAccount("anna", .dispatcher)
        let browser = trial.browser(from: attacker)
        let begun = trial.parts.bootClock()
        let free = await browser.signIn("nobody", password: wrong)
        #expect(free.status == 422)
        _ = await tries(browser) { "nobody\($0)" }
        let refused = await browser.signIn("nobody", password: wrong)
        let worker = await browser.signIn("anna", password: wrong)
        #expect(refused.status == 429)
        #expect(worker.status == 429)
        #expect(worker.text.replacing("anna", with: "nobody") == refused.text)
        #expect(Set(trial.waits) == [begun.advanced(by: .milliseconds(300))])
        let answers = 23
        #expect(trial.waits.count == answers)
        #expect(await browser.signIn("anna").status == 303)
    }

    @Test func `wrong tries for dispatchers refuse strangers at least as early`() async throws {
        let trial = try await TrialSite()
        let names = ["anna", "bruno", "carla"]
        for user in names { try await trial.addAccount(user, .dispatcher) }
        let browser = trial.browser(from: attacker)
        #expect(await tries(browser) { names[$0 / 7 % 3] } == 20)
        #expect(await browser.signIn("nobody", password: wrong).status == 429)
    }
}
