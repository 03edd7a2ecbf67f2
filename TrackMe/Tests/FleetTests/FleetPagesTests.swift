import Accounts
import CloudCommands
import Fleet
import Foundation
import GatewayModel
import SQLDatabase
import SiteSamples
import Store
import StoreSamples
import Testing
import WebPages

/// The fleet, asked as the browser of an installer asks.
struct FleetPagesTests {
    private struct Fleet {
        let trial: TrialSite
        let browser: TrialBrowser

        var now: WallTime { trial.parts.clock() }
        var fleets: FleetStore { trial.stores.fleets }

        func keep(_ items: [IntakeItem]) throws { _ = try trial.stores.intake.keep(items, at: now) }
    }

    private static func identity(_ gateway: String, seed: UInt8 = 7) -> GatewayIdentity {
        GatewayIdentity(gateway: GatewayID(gateway)!, seed: [UInt8](repeating: seed, count: 32))!
    }

    private static func browser(_ user: String, in trial: TrialSite) async -> TrialBrowser {
        let browser = trial.browser()
        await browser.signIn(user)
        return browser
    }

    private static func make(_ fleet: String = "Rossi & <Figli>") async throws -> Fleet {
        let trial = try await TrialSite(migrations: AuditLog.migrations) { parts, _ in
            FleetPages(
                parts: parts,
                service: FleetService(
                    fleets: parts.stores.fleets, signer: TrialSite.signer, issuer: IssuerID("trackme")!,
                    clock: parts.clock)
            ).routes
        }
        let gino = try await trial.addAccount("gino", .installer)
        try await trial.stores.fleets.join(gino, FleetName(fleet)!)
        return Fleet(trial: trial, browser: await browser("gino", in: trial))
    }

    private func add(_ box: GatewayIdentity, _ fleet: Fleet, by browser: TrialBrowser? = nil) async throws
        -> Seen
    {
        let browser = browser ?? fleet.browser
        await browser.get("/fleet/add")
        return await browser.post("/fleet/add", [("code", try box.claim(at: fleet.now))])
    }

    private func status(
        _ gateway: String, at time: WallTime, _ conditions: [HouseStatus.Condition] = [], number: Int = 1
    ) -> IntakeItem {
        .house(
            GatewayID(gateway)!,
            .status(
                HouseStatus(
                    id: .sample(number, at: time), time: time, isOnline: true, version: "1.7",
                    conditions: conditions)))
    }

    private func beat(_ gateway: String, at time: WallTime, alarms: Int = 0) -> IntakeItem {
        .house(
            GatewayID(gateway)!,
            .heartbeat(
                HouseHeartbeat(
                    id: .sample(2, at: time), time: time, version: "1.7", interval: .seconds(60),
                    openAlarms: alarms, unsent: 0, hasMains: nil, batteryPercent: nil,
                    wearables: [DeviceID("strap")!: time])))
    }

    @Test func `a box is added by the code that it shows, and its messages are taken from then on`()
        async throws
    {
        let fleet = try await Self.make()
        #expect(await fleet.browser.get("/fleet").text.contains("Boxes of Rossi &amp; &lt;Figli&gt;"))
        let answer = try await add(Self.identity("house-77"), fleet)
        #expect(answer.status == 303 && answer.header("Location") == "/fleet/boxes/house-77")
        let house = try #require(try await fleet.trial.stores.houses.house(GatewayID("house-77")!))
        #expect(house.key == Self.identity("house-77").publicJWK)
        #expect(await fleet.browser.get("/fleet").text.contains("never seen"))
        #expect(await fleet.browser.get("/fleet/boxes/house-77").text.contains("told nothing yet"))
        // The same code again changes nothing.
        #expect(try await add(Self.identity("house-77"), fleet).status == 303)
        #expect(try await fleet.fleets.boxes(of: FleetName("Rossi & <Figli>")!).count == 1)
        let log = try await fleet.trial.file.read { try AuditLog.check($0) }
        guard case .sound(let head) = log else { return #expect(Bool(false)) }
        #expect(head.number == 1)
    }

    @Test func `a code that is none, too old or of a box that is known otherwise adds nothing`() async throws {
        let fleet = try await Self.make()
        let old = try Self.identity("house-77").claim(at: fleet.now)
        await fleet.browser.get("/fleet/add")
        let wrong = await fleet.browser.post("/fleet/add", [("code", "<b>")])
        #expect(wrong.status == 422 && wrong.text.contains("no code of a box"))
        fleet.trial.advance(3_700)
        let late = await fleet.browser.post("/fleet/add", [("code", old)])
        #expect(late.status == 422 && late.text.contains("older than an hour"))
        _ = try await add(Self.identity("house-77"), fleet)
        let other = try await add(Self.identity("house-77", seed: 9), fleet)
        #expect(other.status == 422 && other.text.contains("another key"))
        let bruno = try await fleet.trial.addAccount("bruno", .installer)
        try await fleet.fleets.join(bruno, FleetName("Verdi")!)
        let browser = await Self.browser("bruno", in: fleet.trial)
        let taken = try await add(Self.identity("house-77"), fleet, by: browser)
        #expect(taken.status == 422 && taken.text.contains("Another fleet"))
        #expect(try await fleet.fleets.boxes(of: FleetName("Verdi")!).isEmpty)
        #expect(await browser.get("/fleet/boxes/house-77").status == 404)
    }

    @Test func `eight wrong codes are the limit for a time`() async throws {
        let fleet = try await Self.make()
        await fleet.browser.get("/fleet/add")
        var texts: [String] = []
        for number in 0..<20 {
            texts.append(await fleet.browser.post("/fleet/add", [("code", "wrong \(number)")]).text)
        }
        #expect(texts[0].contains("no code of a box") && texts[19].contains("Too many wrong codes"))
    }

    @Test func `an absent box is shown within three intervals and ten seconds, and before the others`()
        async throws
    {
        let fleet = try await Self.make()
        for box in ["house-71", "house-72"] { _ = try await add(Self.identity(box), fleet) }
        let begin = fleet.now
        try fleet.keep([
            status("house-71", at: begin), beat("house-71", at: begin), status("house-72", at: begin),
            beat("house-72", at: begin, alarms: 2),
        ])
        var text = await fleet.browser.get("/fleet").text
        #expect(!text.contains("AWAY") && text.contains("2 boxes, 0 away, 2 open alarms"))
        let (quiet, alarmed) = (text.range(of: ">house-71<")!, text.range(of: ">house-72<")!)
        #expect(alarmed.lowerBound < quiet.lowerBound)
        fleet.trial.advance(150)
        try fleet.keep([beat("house-72", at: fleet.now)])
        fleet.trial.advance(30 + 8)
        text = await fleet.browser.get("/fleet/list").text
        #expect(text.contains("2 boxes, 1 away, 0 open alarms") && text.contains("3 min ago"))
        let (away, present) = (text.range(of: ">house-71<")!, text.range(of: ">house-72<")!)
        #expect(away.lowerBound < present.lowerBound)
    }

    @Test func `a condition has its sentence and its remedy, also one that the server does not know`()
        async throws
    {
        let fleet = try await Self.make()
        _ = try await add(Self.identity("house-71"), fleet)
        try fleet.keep([
            status(
                "house-71", at: fleet.now,
                [
                    .init(code: "battery-low", severity: "degraded", subject: "strap"),
                    .init(code: "<new>", severity: "later", subject: nil),
                ]), beat("house-71", at: fleet.now),
        ])
        let text = await fleet.browser.get("/fleet/boxes/house-71").text
        let declaration = HealthCode.batteryLow.declaration
        for sentence in [declaration.title.en, declaration.remedy] {
            #expect(text.contains(sentence.replacing("'", with: "&#39;")), "\(sentence)")
        }
        #expect(text.contains("The box reports &lt;new&gt;") && text.contains("(strap)"))
        #expect(text.contains("strap: 0 s ago"))
        // Of two conditions the list names the worse one.
        #expect(await fleet.browser.get("/fleet").text.contains("&lt;new&gt; and 1 more"))
    }

    @Test func `a command is signed, and its receipt is on the page`() async throws {
        let fleet = try await Self.make()
        _ = try await add(Self.identity("house-71"), fleet)
        await fleet.browser.get("/fleet/boxes/house-71")
        for wrong in ["9", "86401", "1e3", "", "-60"] {
            let answer = await fleet.browser.post("/fleet/boxes/house-71/heartbeat", [("seconds", wrong)])
            #expect(answer.status == 422 && answer.text.contains("from 10 to 86400"), "\(wrong)")
        }
        #expect(await fleet.browser.post("/fleet/boxes/house-71/heartbeat", [("seconds", "30")]).status == 303)
        let commands = try await fleet.trial.stores.links.due(at: fleet.now, most: 10)
        let command = try #require(commands.first)
        let claims = try #require(
            Base64URL.decode(command.token.split(separator: UInt8(ascii: "."))[1]))
        let text = String(decoding: claims, as: UTF8.self)
        #expect(text.contains(#""cmd":{"seconds":30,"type":"heartbeat-interval"}"#))
        #expect(text.contains(#""by":"gino""#) && text.contains(#""aud":"house-71""#))
        #expect(await fleet.browser.get("/fleet/boxes/house-71").text.contains("on its way"))
        try fleet.keep([
            .answer(
                CommandAnswer(
                    gateway: GatewayID("house-71")!, command: command.id, refusal: "not-allowed", at: fleet.now)
            )
        ])
        #expect(
            await fleet.browser.get("/fleet/boxes/house-71/part").text.contains(
                "refused by the box: not-allowed"))
        #expect(try await fleet.trial.stores.links.openCommandCount() == 0)
    }

    @Test func `a command to a box that has left the fleet is not sent`() async throws {
        let fleet = try await Self.make()
        _ = try await add(Self.identity("house-71"), fleet)
        let gino = try #require(try await fleet.trial.stores.accounts.account(named: UserName("gino")!))
        #expect(
            try await fleet.fleets.give(
                GatewayID("house-71")!, to: FleetName("Verdi")!, by: "operator", at: fleet.now))
        await #expect(throws: FleetRefusal.notInFleet) {
            try await fleet.fleets.setHeartbeat(
                30, of: GatewayID("house-71")!, in: FleetName("Rossi & <Figli>")!, by: gino, at: fleet.now
            ) { _ in
                throw CancellationError()
            }
        }
        #expect(try await fleet.trial.stores.links.openCommandCount() == 0)
    }

    @Test func `without script the list is loaded anew, and a page with a form is not`() async throws {
        let fleet = try await Self.make()
        _ = try await add(Self.identity("house-71"), fleet)
        #expect(await fleet.browser.get("/fleet").text.contains("http-equiv=\"refresh\""))
        let box = await fleet.browser.get("/fleet/boxes/house-71").text
        #expect(box.contains("name=\"seconds\"") && !box.contains("http-equiv=\"refresh\""))
    }

    @Test func `fifty commands a day are the limit of a box`() async throws {
        let fleet = try await Self.make()
        _ = try await add(Self.identity("house-71"), fleet)
        await fleet.browser.get("/fleet/boxes/house-71")
        for _ in 0..<HeartbeatCommand.mostInADay {
            #expect(
                await fleet.browser.post("/fleet/boxes/house-71/heartbeat", [("seconds", "30")]).status == 303)
        }
        let answer = await fleet.browser.post("/fleet/boxes/house-71/heartbeat", [("seconds", "30")])
        #expect(answer.status == 422 && answer.text.contains("too many commands"))
    }

    @Test func `a box is taken out after a question, and can be added again`() async throws {
        let fleet = try await Self.make()
        _ = try await add(Self.identity("house-71"), fleet)
        #expect(await fleet.browser.get("/fleet/boxes/house-71/remove").text.contains("goes on as before"))
        #expect(await fleet.browser.post("/fleet/boxes/house-71/remove", []).status == 303)
        #expect(await fleet.browser.get("/fleet/boxes/house-71").status == 404)
        #expect(try await fleet.trial.stores.houses.house(GatewayID("house-71")!) != nil)
        #expect(try await add(Self.identity("house-71"), fleet).status == 303)
    }

    @Test func `nobody else sees a box: not a person, a dispatcher or an installer without a fleet`()
        async throws
    {
        let fleet = try await Self.make()
        _ = try await add(Self.identity("house-71"), fleet)
        for (user, role) in [("maria", AccountRole.person), ("anna", .dispatcher), ("ugo", .installer)] {
            try await fleet.trial.addAccount(user, role)
            let browser = await Self.browser(user, in: fleet.trial)
            for path in ["/fleet", "/fleet/list", "/fleet/live", "/fleet/boxes/house-71"] {
                let answer = await browser.get(path)
                #expect(answer.status == 403 && !answer.text.contains("house-71"), "\(user) \(path)")
            }
        }
        let visitor = await fleet.trial.browser().get("/fleet")
        #expect(visitor.status == 303)
    }
}
