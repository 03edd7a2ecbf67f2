import Accounts
import CloudCommands
import ContractReading
import Foundation
import GatewayModel
import SiteSamples
import Store
import StoreSamples
import TestSupport
import Testing
import WebPages

/// Rules of the pages about a person's own data.
struct MyDataTests {
    private let noon = TrialSite.noon
    private let password = "four walls, one door"

    /// A signed-in user who is linked to Maria.
    private func linked(
        _ trial: TrialSite, _ user: String = "anna", as request: String = "link-a"
    ) async throws -> TrialBrowser {
        let browser = trial.browser()
        _ = await browser.register(user)
        let account = try #require(try await trial.stores.accounts.account(named: UserName(user)!)).id
        _ = try await trial.stores.link(account, to: .maria, as: request, at: noon)
        return browser
    }

    private func heartRates(_ count: Int, from time: WallTime) -> [IntakeItem] {
        (0..<count).map { .sample(.heartRate(Double(60 + $0 % 40), at: time.later($0), number: $0)) }
    }

    // MARK: Charts and the house

    @Test func `a time without readings is told with its reason, on the page and in the table`() async throws {
        let trial = try await TrialSite()
        let browser = try await linked(trial)
        let gap = StoredGap(
            subject: .maria, kind: .heartRate, id: .sample(1, at: noon), from: noon.later(-7_200),
            to: noon.later(-3_601), dropped: 3_240, kept: 0, reason: .quota)
        _ = try trial.stores.intake.keep([.gap(gap)] + heartRates(5, from: noon.later(-60)), at: noon)
        let page = await browser.get("/data/1")
        #expect(
            page.text.contains(
                "From 1 Mar 2026, 10:00 to 1 Mar 2026, 10:59: 3240 readings are missing, because the disk of the house was full."
            ))
        #expect(
            page.text.contains(
                #"<th scope="row">10:00</th><td class="missing">no data, because the disk of the house was full"#
            ))
        #expect(!page.text.contains(#"<th scope="row">09:00</th>"#))
        #expect(page.text.contains(#"<th scope="row">11:00</th><td>60</td>"#))
        await browser.get("/account")
        await browser.post("/account", [("language", "it")])
        #expect(
            await browser.get("/data/1?span=quarter").text.contains("perché il disco della casa era pieno"))
    }

    @Test func `an alarm is marked in the chart with the state of its newest message`() async throws {
        let trial = try await TrialSite()
        let browser = try await linked(trial)
        func report(_ state: String, _ number: Int) throws -> IntakeItem {
            let payload =
                Array(
                    #"{"alarm":"019caa1b-3c40-7d10-8a01-5f0c3a9e0077","id":"\#(MessageID.sample(number, at: noon.later(number)))","person":"maria","#
                        .utf8)
                + Array(#""state":"\#(state)","drill":false,"time":"2026-03-01T11:30:00.000Z"}"#.utf8)
            let message = try EmergencyMessage(payload, of: HousePerson.maria.person)
            return .sos(
                SOSReport(
                    gateway: HousePerson.maria.gateway, message: message, payload: payload, at: noon))
        }
        _ = try trial.stores.intake.keep(
            heartRates(5, from: noon.later(-60)) + [try report("resolved", 3), try report("confirmed", 1)],
            at: noon)
        let page = await browser.get("/data/1")
        #expect(page.text.contains(#"class="alarms""#))
        #expect(page.text.contains("Alarm on 1 Mar 2026, 11:30: resolved"))
        #expect(!(await browser.get("/data/1?end=2026-02-27")).text.contains("Alarm on"))
        #expect(await browser.get("/account/export/json").text.contains(#""state":"resolved","drill":false"#))
    }

    @Test func `limits are asked for, drawn in the chart while they are shared, and ended`() async throws {
        let trial = try await TrialSite()
        let browser = try await linked(trial)
        _ = try trial.stores.intake.keep(heartRates(5, from: noon.later(-60)), at: noon)
        #expect(await browser.get("/data/1/house").text.contains("Ask the person"))
        #expect(await browser.post("/data/1/limits", []).status == 303)
        #expect(await browser.post("/data/1/limits", []).status == 303, "a second press changes nothing")
        #expect(await browser.get("/data/1/house").text.contains("The person has been asked"))
        let command = try #require(
            try await trial.stores.links.due(at: noon, most: 9).first {
                $0.request?.text.hasPrefix("limit-") == true
            })
        let claims = String(
            decoding: Base64URL.decode(command.token.split(separator: UInt8(ascii: "."))[1])!, as: UTF8.self)
        #expect(claims.contains(#""kinds":["limits"]"#))
        #expect(claims.contains(#""party":{"id":"trackme-limits","name":"Test clinic"}"#))
        var limits = AlarmLimits(.heartRate)
        (limits.low, limits.high, limits.warningHigh) = (40, 131, 121)
        let told = StoredFact(subject: .maria, value: .limits([limits]), request: command.request, time: noon)
        func decide(_ verdict: DecisionRecord.Verdict, _ entry: Int64) -> IntakeItem {
            .decision(
                DecisionRecord(
                    subject: .maria, matter: .request(command.request!), verdict: verdict, at: noon,
                    entry: entry))
        }
        _ = try trial.stores.intake.keep([.fact(told)], at: noon)
        #expect(!(await browser.get("/data/1").text.contains("Alarm above")), "before the yes")
        _ = try trial.stores.intake.keep([decide(.accepted, 1)], at: noon)
        let chart = await browser.get("/data/1").text
        for label in ["Alarm below 40", "Alarm above 131", "Warning above 121"] {
            #expect(chart.contains(label), "\(label)")
        }
        #expect(await browser.get("/data/1/house").text.contains("Heart rate: Alarm above 131"))
        #expect(
            await browser.get("/account/export/json").text.contains(
                #""limits":[{"kind":"heart-rate","unit":"/min","low":40.0,"high":131.0,"warning_high":121.0}]"#)
        )
        #expect(await browser.post("/data/1/limits/end", []).status == 303)
        #expect(!(await browser.get("/data/1").text.contains("Alarm above")))
        #expect(
            try await trial.stores.links.due(at: noon, most: 9).contains {
                $0.request == command.request && $0.isWithdrawal
            })
        _ = try trial.stores.intake.keep([decide(.accepted, 2)], at: noon)
        #expect(!(await browser.get("/data/1").text.contains("Alarm above")), "an end here stays")
    }

    @Test func `the page of the house tells whether it calls for help, and has no switch for it`() async throws
    {
        let trial = try await TrialSite()
        let browser = try await linked(trial)
        #expect(await browser.get("/data/1/house").text.contains("Off: nobody has agreed at home"))
        for (entry, verdict) in [DecisionRecord.Verdict.accepted, .withdrawn].enumerated() {
            for subject in [HousePerson.maria, .paolo] {
                // Paolo decides the opposite before her.
                let own: DecisionRecord.Verdict =
                    subject == .maria ? verdict : verdict == .accepted ? .withdrawn : .accepted
                let decision = DecisionRecord(
                    subject: subject, matter: .policy("automated-sos"), verdict: own, at: noon,
                    entry: Int64(entry + 1))
                _ = try trial.stores.intake.keep([.decision(decision)], at: noon)
            }
            let text = await browser.get("/data/1/house").text
            #expect(text.contains("On: agreed at home") == (verdict == .accepted))
            #expect(text.contains("Off: nobody has agreed") == (verdict == .withdrawn))
        }
        let page = await browser.get("/data/1/house").text
        let heading = try #require(page.range(of: "Calls for help (AutomatedSOS)"))
        let section = page[heading.upperBound...].prefix { $0 != "\0" }.components(separatedBy: "<h2")[0]
        #expect(section.contains("switched on and off at home alone"))
        #expect(!section.contains("<form"))
        #expect(page.contains("<form"), "the other parts of the page have forms")
    }

    @Test func `the house shows its last sign of life, and conditions of the person's devices alone`()
        async throws
    {
        let trial = try await TrialSite()
        let browser = try await linked(trial)
        #expect(await browser.get("/data/1/house").text.contains("told nothing of itself"))
        let status = HouseStatus(
            id: .sample(1, at: noon), time: noon.later(-600), isOnline: true, version: "1.2",
            conditions: [
                .init(code: "battery-low", severity: "degraded", subject: "strap"),
                .init(code: "wearable-silent", severity: "supervision", subject: "paolos-watch"),
                .init(code: "house-battery-low", severity: "supervision", subject: nil),
                .init(code: "from-the-future", severity: "degraded", subject: "strap"),
            ])
        _ = try trial.stores.intake.keep(
            heartRates(1, from: noon.later(-60)) + [.house(HousePerson.maria.gateway, .status(status))],
            at: noon)
        let page = await browser.get("/data/1/house")
        #expect(page.text.contains("It is not connected."))
        #expect(page.text.contains("Last seen on 1 Mar 2026, 11:50."))
        #expect(page.text.contains("Last reading on 1 Mar 2026, 11:59."))
        #expect(page.text.contains("Its battery is nearly empty."))
        #expect(!page.text.contains("paolos-watch"))
        for sentence in [
            "battery is nearly empty (strap).", "<li class=\"warn\">The box&#39;s own battery is nearly empty",
            "that this server cannot name; the pages at home show it (strap).",
        ] { #expect(page.text.contains(sentence), "\(sentence)") }
        #expect(!page.text.contains("battery-low") && !page.text.contains("from-the-future"))
        await browser.post("/account", [("language", "it")])
        let italian = await browser.get("/data/1/house").text
        #expect(italian.contains("La batteria di un dispositivo è quasi scarica (strap)."))
        await browser.post("/account", [("language", "en")])
        let api = await browser.get("/api/v1/people/1/devices")
        #expect(api.text.contains(#""battery_low":true,"device":"strap""#))
    }

    @Test func `an interval is a signed command, and the page shows the receipt of the house`() async throws {
        let trial = try await TrialSite()
        let browser = try await linked(trial)
        _ = try trial.stores.intake.keep(heartRates(1, from: noon), at: noon)
        await browser.get("/data/1/house")
        for bad in ["", "-1", "3601", "1.5", "ten"] {
            let answer = await browser.post(
                "/data/1/interval", [("kind", "heart-rate"), ("seconds", bad)])
            #expect(answer.status == 422, "\(bad)")
        }
        let before = try await trial.stores.links.openCommandCount()
        let sent = await browser.post("/data/1/interval", [("kind", "heart-rate"), ("seconds", "10")])
        #expect(sent.status == 303)
        #expect(try await trial.stores.links.openCommandCount() == before + 1)
        let command = try #require(
            try await trial.stores.links.due(at: noon.later(1), most: 9).first { $0.request == nil })
        let claims = String(
            decoding: try #require(Base64URL.decode(command.token.split(separator: UInt8(ascii: "."))[1])),
            as: UTF8.self)
        #expect(
            claims.contains(
                #""cmd":{"kind":"heart-rate","person":"maria","seconds":10,"type":"sample-interval"}"#))
        #expect(await browser.get("/data/1/house").text.contains("on its way"))
        let answer = CommandAnswer(
            gateway: HousePerson.maria.gateway, command: command.id, refusal: "not-allowed", at: noon)
        _ = try trial.stores.intake.keep([.answer(answer)], at: noon)
        let page = await browser.get("/data/1/house")
        #expect(page.text.contains("refused by the house"))
        #expect(page.text.contains("Reason: not-allowed"))
    }

    @Test func `another account sees neither house nor interval nor record`() async throws {
        let trial = try await TrialSite()
        _ = try await linked(trial)
        let other = trial.browser()
        _ = await other.register("paolo")
        for path in [
            "/data/1/house", "/api/v1/people/1/gaps", "/api/v1/people/1/notices", "/api/v1/people/1/devices",
            "/api/v1/people/1/summaries?kind=heart-rate",
        ] {
            #expect(await other.get(path).status == 404, "\(path)")
        }
        await other.get("/account")
        #expect(
            await other.post("/data/1/interval", [("kind", "heart-rate"), ("seconds", "9")]).status == 404)
    }

    @Test func `each look is counted before its answer`() async throws {
        let trial = try await TrialSite()
        let browser = try await linked(trial)
        for path in ["/data/1", "/data/1", "/data/1/csv", "/api/v1/people/1/latest", "/account/export/json"] {
            #expect(await browser.get(path).status == 200)
        }
        let views = try await trial.stores.views.views(of: .maria, after: nil, most: 10)
        #expect(
            Dictionary(uniqueKeysWithValues: views.map { ($0.manner, $0.count) }) == [
                .page: 2, .file: 1, .program: 1, .export: 1,
            ])
        #expect(views.allSatisfy { $0.user?.text == "anna" })
    }

    // MARK: Profile

    @Test func `name, language and time zone change, and the name stays sealed`() async throws {
        let trial = try await TrialSite()
        let browser = try await linked(trial)
        _ = try trial.stores.intake.keep(heartRates(1, from: noon.later(-60)), at: noon)
        await browser.get("/account")
        let saved = await browser.post(
            "/account", [("name", "Zenobia Quadri"), ("language", "en"), ("zone", "Asia/Kolkata")])
        #expect(saved.status == 303)
        #expect(await browser.get("/account").text.contains(#"value="Zenobia Quadri""#))
        #expect(try trial.databaseBytes().range(of: Data("Zenobia".utf8)) == nil)
        #expect(await browser.get("/data/1").text.contains("at 17:29:00"))
        await browser.get("/account")
        #expect(await browser.post("/account", [("name", " ")]).status == 422)
        #expect(await browser.post("/account", [("zone", "Moon/Sea")]).status == 400)
        #expect(await browser.post("/account", [("zone", "")]).status == 303)
        #expect(await browser.get("/data/1").text.contains("at 11:59:00"))
    }

    @Test func `a new password needs the present one, and ends all other sessions`() async throws {
        let trial = try await TrialSite()
        let browser = try await linked(trial)
        let other = trial.browser()
        await other.get("/sign-in")
        await other.post("/sign-in", [("user", "anna"), ("password", password)])
        #expect(await other.get("/data/1").status == 200)
        let new = "a lamp, two rivers, no moon"
        await browser.get("/account")
        func change(_ current: String, _ first: String, _ second: String) async -> Seen {
            await browser.post(
                "/account/password", [("current", current), ("password", first), ("again", second)])
        }
        #expect(await change("wrong wrong wrong", new, new).text.contains("not your password"))
        #expect(await change(password, "short", "short").text.contains("too short"))
        #expect(await change(password, new, new + "x").text.contains("differ"))
        #expect(await other.get("/data/1").status == 200)
        #expect(await change(password, new, new).status == 303)
        #expect(await other.get("/data/1").header("Location") == "/sign-in")
        #expect(await browser.get("/data/1").status == 200)
        await other.get("/sign-in")
        #expect(await other.post("/sign-in", [("user", "anna"), ("password", new)]).status == 303)
    }

    // MARK: Export

    private func exported() async throws -> (TrialSite, TrialBrowser) {
        let trial = try await TrialSite()
        let browser = try await linked(trial)
        let beats = StoredSample(
            subject: .maria, kind: .heartRate, device: DeviceID("strap")!, id: .sample(9_999, at: noon),
            time: noon.later(-1), value: 72, flags: [.questionable, .irregularPulse],
            beatIntervals: [827.1, 819.3])
        let document = StoredDocument(
            subject: .maria, id: .sample(1, at: noon), time: noon,
            resource: Array(#"{"code":{"text":"Mood"},"resourceType":"Observation","valueString":"good"}"#.utf8)
        )
        let old = (0..<3_000).map {
            IntakeItem.sample(
                .heartRate(Double(50 + $0 % 9), at: noon.later(-20 * 86_400 + $0), number: 10_000 + $0))
        }
        let ancient = IntakeItem.sample(.heartRate(55, at: noon.later(-95 * 86_400), number: 20_000))
        // More than one page of the store.
        let gaps = (0..<1_500).map { number in
            IntakeItem.gap(
                StoredGap(
                    subject: .maria, kind: .heartRate, id: .sample(30_000 + number, at: noon),
                    from: noon.later(-9_000), to: noon.later(-8_000), dropped: 1, kept: 0, reason: .quota))
        }
        _ = try trial.stores.intake.keep(
            gaps + old + [ancient, .sample(beats), .document(document)]
                + heartRates(5_000, from: noon.later(-6_000)),
            at: noon)
        let life = Retention(
            raw: .seconds(7 * 86_400), minutes: .seconds(90 * 86_400), hours: .seconds(400 * 86_400),
            late: .seconds(100 * 86_400))
        try await trial.stores.retention.raise(life.limits(at: noon))
        while try await trial.stores.retention.removeSome(most: 1_000) > 0 {}
        return (trial, browser)
    }

    @Test func `the export as JSON has each kept form once, in small pieces`() async throws {
        let (_, browser) = try await exported()
        struct Whole: Decodable {
            struct Account: Decodable {
                let user, name: String
            }
            struct Person: Decodable {
                struct Reading: Decodable {
                    let id: String
                    let rrMs: [Double]?
                    let doubt: [String]?
                }
                struct Summary: Decodable {
                    let kind: String
                    let seconds, count: Int
                }
                struct Gap: Decodable {
                    let id: String
                }
                struct Document: Decodable {
                    let valueString: String
                }
                let person: String
                let readings: [Reading]
                let summaries: [Summary]
                let gaps: [Gap]
                let documents: [Document]
            }
            let account: Account
            let people: [Person]
        }
        let answer = await browser.get("/account/export/json")
        #expect(answer.header("Content-Disposition")?.contains("trackme-anna-json.json") == true)
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let whole = try decoder.decode(Whole.self, from: Data(answer.text.utf8))
        #expect(whole.account.name == "Maria <Rossi>")
        let person = try #require(whole.people.first)
        #expect(Set(person.readings.map(\.id)).count == 5_001)
        #expect(person.readings.compactMap(\.rrMs) == [[827.1, 819.3]])
        #expect(person.readings.compactMap(\.doubt) == [["questionable", "irregular-pulse"]])
        let hearts = person.summaries.filter { $0.kind == "heart-rate" }
        #expect(hearts.filter { $0.seconds == 60 }.reduce(0) { $0 + $1.count } == 3_000)
        #expect(hearts.filter { $0.seconds == 3_600 }.map(\.count) == [1])
        #expect(person.gaps.count == 1_500 && Set(person.gaps.map(\.id)).count == 1_500)
        #expect(person.documents.map(\.valueString) == ["good"])
        #expect(answer.largestPiece <= 65_536)
        #expect(answer.text.utf8.count > 10 * answer.largestPiece)
    }

    @Test func `the export as CSV has a row for each reading and summary`() async throws {
        let (_, browser) = try await exported()
        let lines = await browser.get("/account/export/csv").text.split(separator: "\r\n")
        #expect(lines[0] == "house,person,kind,device,time,seconds,count,min,mean,max,unit,id,rr_ms,doubt")
        let rows = lines.dropFirst().map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        #expect(rows.allSatisfy { $0.count == 14 })
        #expect(rows.map { $0[13] }.filter { !$0.isEmpty } == ["questionable irregular-pulse"])
        let hearts = rows.filter { $0[2] == "heart-rate" }
        #expect(hearts.reduce(0) { $0 + (Int($1[6]) ?? 0) } == 8_002)
    }

    @Test func `the export as FHIR is one Bundle with resources of unique addresses`() async throws {
        let (_, browser) = try await exported()
        let answer = await browser.get("/account/export/fhir")
        let bundle = try #require(
            try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any])
        #expect(bundle["type"] as? String == "collection")
        let entries = try #require(bundle["entry"] as? [[String: Any]])
        #expect(Set(entries.compactMap { $0["fullUrl"] as? String }).count == entries.count)
        let resources = entries.compactMap { $0["resource"] as? [String: Any] }
        #expect(
            Set(resources.compactMap { $0["resourceType"] as? String }) == ["Patient", "Device", "Observation"])
        let measured = resources.filter { $0["effectiveDateTime"] != nil }
        #expect(measured.count == 5_001)
        let beats = measured.compactMap { $0["component"] as? [[String: Any]] }
        #expect(beats.map(\.count) == [2])
    }

    @Test func `an export has nothing of a person after her no`() async throws {
        let (trial, browser) = try await exported()
        _ = try trial.stores.intake.keep([.decided("link-a", by: .maria, .withdrawn, entry: 7)], at: noon)
        for format in ["json", "csv", "fhir"] {
            let answer = await browser.get("/account/export/\(format)")
            #expect(answer.status == 200)
            #expect(!answer.text.contains("heart-rate"))
            #expect(!answer.text.contains("8867-4"))
        }
    }

    // MARK: Deletion

    @Test
    func `a deletion tells its consequences first, withdraws at the house, and leaves no name in the file`()
        async throws
    {
        let trial = try await TrialSite()
        let user = "zenobia.quadri"
        let browser = try await linked(trial, user)
        await browser.get("/account")
        await browser.post("/account", [("name", "Zenobia Quadri")])
        _ = try trial.stores.intake.keep(heartRates(500, from: noon.later(-900)), at: noon)
        await browser.get("/data/1/house")
        await browser.post("/data/1/interval", [("kind", "heart-rate"), ("seconds", "10")])
        await browser.get("/links")
        await browser.post("/links", [("house", "house-12"), ("person", "paolo"), ("code", "48217305")])
        #expect(try trial.databaseBytes().range(of: Data(user.utf8)) != nil)

        let page = await browser.get("/account/delete")
        #expect(page.text.contains("<li>maria, house-12</li>"))
        #expect(page.text.contains("<li>paolo, house-12</li>"))
        #expect(page.text.contains("Signed-in browsers that are signed out: 1."))
        #expect(try await trial.stores.accounts.accounts().count == 1)
        #expect(await browser.post("/account/delete", [("password", "wrong wrong wrong")]).status == 422)
        #expect(await browser.post("/account/delete", [("password", password)]).status == 303)

        let due = try await trial.stores.links.due(at: noon.later(1), most: 10)
        #expect(due.count == 2)
        for command in due {
            let claims = String(
                decoding: try #require(Base64URL.decode(command.token.split(separator: UInt8(ascii: "."))[1])),
                as: UTF8.self)
            #expect(claims.contains(#""type":"withdraw""#))
            #expect(claims.contains(#""by":"Test clinic""#))
        }
        let bytes = try trial.databaseBytes()
        for name in [user, "zenobia", "Zenobia", "Quadri"] {
            #expect(bytes.range(of: Data(name.utf8)) == nil, "\(name)")
            // Commands are base64, in which a name begins at one of three places of a group.
            for shift in 0..<3 {
                let text = Data(repeating: 0x78, count: shift) + Data(name.utf8)
                let encoded = text.base64EncodedData().dropFirst(shift == 0 ? 0 : 4).dropLast(4)
                #expect(encoded.count < 4 || bytes.range(of: encoded) == nil, "\(name) in base64")
            }
        }
        #expect(try await trial.stores.samples.series(of: .maria).isEmpty)
        // The receipts of the house empty the outbox.
        _ = try trial.stores.intake.keep(
            due.map { .answer(CommandAnswer(gateway: $0.gateway, command: $0.id, refusal: nil, at: noon)) },
            at: noon)
        #expect(try await trial.stores.links.openCommandCount() == 0)
        #expect(await browser.get("/data").header("Location") == "/sign-in")
    }

    @Test func `readings stay for another account that is linked to the person`() async throws {
        let trial = try await TrialSite()
        let browser = try await linked(trial)
        let other = try await linked(trial, "paolo", as: "link-b")
        _ = try trial.stores.intake.keep(heartRates(5, from: noon.later(-60)), at: noon)
        await browser.get("/account/delete")
        #expect(await browser.post("/account/delete", [("password", password)]).status == 303)
        #expect(await other.get("/data/2").text.contains("64 bpm"))
    }
}
