import Accounts
import Foundation
import GatewayModel
import Groups
import SQLDatabase
import SiteSamples
import Store
import StoreSamples
import Testing

/// Page of the consent to be counted.
struct GroupConsentPageTests {
    private static let fields = [
        ("link", "1"), ("birth_year", "1948"), ("gender", "female"), ("area", "Milano <nord> & \"sud\""),
        ("agree", "yes"),
    ]

    /// A browser of Maria, whose account is linked to herself.
    private func maria(_ site: PartySite) async throws -> TrialBrowser {
        let browser = site.trial.browser()
        await browser.register("maria")
        let account = try #require(try await site.trial.stores.accounts.account(named: UserName("maria")!))
        _ = try await site.trial.stores.link(account.id, to: .maria, as: "link", at: site.now)
        return browser
    }

    private func members(_ site: PartySite) async throws -> Int {
        try await GroupMemberStore(file: site.trial.file).memberCount()
    }

    @Test func `a person reads the guarantee, is counted after her yes, and no more after her no`() async throws
    {
        let site = try await PartySite()
        let browser = try await maria(site)
        let page = await browser.get("/groups")
        #expect(page.status == 200)
        for text in [
            "You are not counted in group figures.", "e² = 7.4", "62 of 100", "52 tables", "96 of 100",
            "one of a million", "nobody can call them back", "Milano &lt;nord&gt; &amp; &quot;sud&quot;",
        ] {
            #expect(page.text.contains(text), "\(text)")
        }
        #expect(!page.text.contains("…"), "a sentence is cut off")
        #expect(!page.text.contains("<nord>"))
        #expect(await browser.post("/groups", Self.fields).status == 303)
        #expect(try await members(site) == 1)
        let on = await browser.get("/groups")
        #expect(on.text.contains("You are counted in group figures since 1 Mar 2026"))
        #expect(on.text.contains(#"value="1948""#))
        try await site.trial.file.write { try $0.execute(sql: "INSERT INTO group_counted VALUES (1, 2)") }
        #expect(await browser.post("/groups/off", []).status == 303)
        #expect(try await members(site) == 0)
        let off = await browser.get("/groups")
        #expect(off.text.contains("You are not counted in group figures."))
        #expect(off.text.contains("You were in 2 tables until now."))
        #expect(!off.text.contains("1948\""))
    }

    @Test func `the page speaks Italian`() async throws {
        let site = try await PartySite()
        let browser = try await maria(site)
        await browser.get("/account")
        await browser.post("/account", [("language", "it")])
        let page = await browser.get("/groups")
        for text in [
            "Non sei contato nelle statistiche di gruppo.", "e² = 7,4", "62 casi su 100", "52 tabelle",
            "96 casi su 100", "Zona di casa tua",
        ] {
            #expect(page.text.contains(text), "\(text)")
        }
        #expect(!page.text.contains("…"), "a sentence is cut off")
        #expect(await browser.get("/account").text.contains(#"href="/groups""#))
    }

    @Test(arguments: [
        ("agree", "no", "Without your consent"), ("birth_year", "1899", "in four digits"),
        ("birth_year", "2027", "in four digits"), ("birth_year", "x", "in four digits"),
        ("gender", "", "Choose a gender"), ("area", "", "Choose an area"), ("area", "Roma", "Choose an area"),
        ("link", "2", "who has accepted your account"), ("link", "x", "who has accepted your account"),
    ])
    func `a form with a mistake counts nobody in, and names it`(
        _ name: String, _ value: String, _ words: String
    ) async throws {
        let site = try await PartySite()
        let browser = try await maria(site)
        await browser.get("/groups")
        let seen = await browser.post("/groups", Self.fields.map { $0.0 == name ? (name, value) : $0 })
        #expect(seen.status == 422)
        #expect(seen.text.contains(words))
        #expect(try await members(site) == 0)
    }

    @Test func `a person counts once, and another account is told so`() async throws {
        let site = try await PartySite()
        let browser = try await maria(site)
        await browser.get("/groups")
        await browser.post("/groups", Self.fields)
        let carer = site.trial.browser()
        await carer.register("carer")
        let account = try #require(try await site.trial.stores.accounts.account(named: UserName("carer")!))
        _ = try await site.trial.stores.link(account.id, to: .maria, as: "second", at: site.now)
        await carer.get("/groups")
        let seen = await carer.post("/groups", Self.fields.map { $0.0 == "link" ? ("link", "2") : $0 })
        #expect(seen.status == 422)
        #expect(seen.text.contains("counts this person in already"))
    }

    @Test func `a person whose link or area is gone reads that she is not counted`() async throws {
        let site = try await PartySite()
        let browser = try await maria(site)
        await browser.get("/groups")
        await browser.post("/groups", Self.fields)
        #expect(await !browser.get("/groups").text.contains("you are not counted"))
        try await site.trial.file.write { try $0.execute(sql: "UPDATE group_member SET area = 'Roma'") }
        #expect(await browser.get("/groups").text.contains("is no longer offered"))
        #expect(await browser.post("/links/1/end", []).status == 303)
        let page = await browser.get("/groups")
        #expect(page.text.contains("has ended. Until you choose another one you are not counted."))
        #expect(page.text.contains("Do not count me any more"))
    }

    @Test func `visitors, persons without a link and servers without areas have no form`() async throws {
        let site = try await PartySite()
        #expect(await site.trial.browser().get("/groups").status == 303)
        let stranger = site.trial.browser()
        await stranger.register("stranger")
        #expect(await stranger.get("/groups").text.contains("First link your account"))
        let without = try await PartySite(groups: nil)
        #expect(await (try maria(without)).get("/groups").text.contains("has no group figures"))
    }

    @Test func `the page tells which rule holds`() async throws {
        let site = try await PartySite(groups: .letter)
        let page = await (try maria(site)).get("/groups")
        #expect(page.text.contains("the guarantee does not hold"))
    }
}
