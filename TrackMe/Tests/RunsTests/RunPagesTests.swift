import Accounts
import CloudCommands
import Foundation
import GatewayModel
import RunBeacon
import Runs
import SiteSamples
import Store
import StoreSamples
import Synchronization
import TestSupport
import Testing
import WebPages

/// Runs, asked as browsers of organisers, runners and spectators ask.
struct RunPagesTests {
    @Test func `takes a run with a course out of a GPX file, and shows it to everybody`() async throws {
        let world = try await RunWorld.make()
        let anna = await world.organiser()
        #expect(await anna.post("/my-runs/new", RunWorld.fields).status == 303)
        let run = try #require(try await world.service.runs.run(RunID("milan")!))
        guard case .line(let line)? = run.definition.outline.course else { throw RunFault.course("none") }
        #expect(abs(line.course.length - 945) < 5)
        let visitor = world.trial.browser()
        let list = await visitor.get("/runs")
        #expect(list.text.contains("Milan &lt;10K&gt; &amp; friends"))
        #expect(list.text.contains("Ongoing runs"))
        let page = await visitor.get("/runs/milan")
        #expect(page.status == 200)
        #expect(page.text.contains("<svg class=\"map\""))
        #expect(!page.text.contains("<10K>"))
    }

    @Test func `has the filter before the map and the rows, and loads no page anew under somebody who types`()
        async throws
    {
        let world = try await RunWorld.make()
        let anna = await world.organiser()
        await anna.post("/my-runs/new", RunWorld.fields)
        await anna.post("/my-runs/milan/participants", RunWorld.runner(17, name: "Marta"))
        let visitor = world.trial.browser()
        for path in ["/runs/milan", "/runs/milan?text=17"] {
            let text = await visitor.get(path).text
            let (field, part) = (
                try #require(text.range(of: "name=\"text\"")),
                try #require(text.range(of: "<section data-live"))
            )
            #expect(field.lowerBound < part.lowerBound)
            #expect(!text.contains("http-equiv"))
        }
        #expect(await visitor.get("/runs/milan/runners/17").text.contains("http-equiv=\"refresh\""))
    }

    @Test func `shows heart rate and energy of a runner after a yes at home, and not after its end`()
        async throws
    {
        let world = try await RunWorld.make()
        let anna = await world.organiser()
        await anna.post("/my-runs/new", RunWorld.fields)
        let luke = await world.person("luke")
        await luke.post("/runs/milan/join", RunWorld.runner(21, name: "Luke"))
        #expect(await luke.get("/runs/milan/join").text.contains("First link your account to a person"))
        let account = try #require(
            try await world.trial.parts.stores.accounts.account(named: UserName("luke")!)?.id)
        let stores = world.trial.parts.stores
        let at = world.trial.parts.clock()
        _ = try await stores.ask(account, for: .maria, as: "link-luke", at: at)
        func decide(_ request: RequestID, _ verdict: DecisionRecord.Verdict, entry: Int64, grant: Int64? = nil)
            throws
        {
            _ = try stores.intake.keep(
                [
                    .decision(
                        DecisionRecord(
                            subject: .maria, matter: .request(request), verdict: verdict, at: at, entry: entry,
                            grant: grant))
                ], at: at)
        }
        try decide(RequestID("link-luke")!, .accepted, entry: 1)
        #expect(await luke.get("/runs/milan/join").text.contains("Ask maria at home"))
        let stranger = await luke.post("/runs/milan/share", [("person", "house-12 paolo")])
        #expect(stranger.status == 404)
        await luke.get("/runs/milan/join")
        await luke.post("/runs/milan/share", [("person", "house-12 maria")])
        let waiting = await luke.get("/runs/milan/join").text
        #expect(waiting.contains("waits for an answer at home"))
        #expect(!waiting.contains("Ask maria at home"))
        let sharing = try await world.service.runs.sharing(of: Bib(21)!, in: RunWorld.run)
        let request = try #require(sharing?.request)
        try decide(request, .accepted, entry: 2, grant: 9)
        func tell(_ kind: QuantityKind, _ value: Double, secondsAgo: Int) throws {
            _ = try stores.intake.keep(
                [
                    .vital(
                        SharedVital(
                            subject: .maria, grant: 9, kind: kind, value: value, time: at.later(-secondsAgo)))
                ], at: at)
        }
        try tell(.heartRate, 142, secondsAgo: 10)
        try tell(.energyExpended, 310, secondsAgo: 400)
        func page() async -> String {
            world.hub.changed(RunWorld.run, isWithdrawal: true)
            return await world.trial.browser().get("/runs/milan/runners/21").text
        }
        #expect(await page().contains("Heart rate 142/min at"))
        #expect(!(await page().contains("kJ")), "older than 5 minutes")
        let json = await world.trial.browser().get("/api/v1/runs/milan").text
        #expect(json.contains(#""heart_rate":{"time":"2026-03-01T11:59:50"#), "\(json)")
        #expect(json.contains(#""value":142}"#))
        let export = try #require(
            try JSONSerialization.jsonObject(
                with: Data(await luke.get("/account/export/json").text.utf8)) as? [String: Any])
        let enrolments = try #require(export["enrolments"] as? [[String: Any]])
        #expect(enrolments.map { ($0["runner"] as? [String: Any])?["name"] as? String } == ["Luke"])
        #expect(enrolments.map { $0["shows_name"] as? Bool } == [true])
        let person = try #require((export["people"] as? [[String: Any]])?.first)
        let sharings = try #require(person["run_sharings"] as? [[String: Any]])
        #expect(sharings.map { $0["state"] as? String } == ["shared"])
        #expect((person["run_readings"] as? [[String: Any]])?.count == 2)
        await luke.get("/runs/milan/join")
        await luke.post("/runs/milan/unshare", [])
        #expect(!(await page().contains("Heart rate")))
        #expect(await luke.get("/runs/milan/join").text.contains("do not see them any more"))
    }

    @Test(arguments: [
        ("course", "<gpx></gpx>", "no course"),
        ("course", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "no course"),
        ("course", "not a course", "no course"), ("end", "tomorrow", "end has another form"),
        ("end", "2026-03-09T14:00:00Z", "shorter than a week"), ("most", "2001", "from 1 to 2000"),
        ("title", "", "1 to 100 characters"), ("id", "Milan!", "short name has another form"),
        ("checkpoints", "start 0; start 5", "contradicts itself"), ("waves", "now", "start has another form"),
        ("end", "2026-03-01T11:59:00Z", "is over"),
    ])
    func `refuses a definition with a fault, and keeps what was entered`(
        field: String, value: String, reason: String
    ) async throws {
        let world = try await RunWorld.make()
        let anna = await world.organiser()
        let answer = await anna.post("/my-runs/new", RunWorld.with(field, value))
        #expect(answer.status == 422)
        #expect(answer.text.contains(reason), "\(answer.text)")
        #expect(answer.text.contains("Through &quot;the&quot; park"))
        #expect(try await world.service.runs.run(RunID("milan")!) == nil)
    }

    @Test func `asks visitors to sign in before an act, and strangers to stay out`() async throws {
        let world = try await RunWorld.make()
        let anna = await world.organiser()
        await anna.post("/my-runs/new", RunWorld.fields)
        let visitor = world.trial.browser()
        #expect(await visitor.get("/my-runs").status == 303)
        let bruno = world.trial.browser()
        await bruno.register("bruno")
        #expect(await bruno.get("/my-runs/milan").status == 403)
        await bruno.get("/my-runs/new")
        for path in ["", "/cancel", "/organisers", "/participants", "/participants/leave"] {
            let answer = await bruno.post(
                "/my-runs/milan" + path,
                RunWorld.fields + [
                    ("version", "1"), ("user", "bruno"), ("bib", "17"), ("tag", "C0:FF:EE:00:00:17"),
                ])
            #expect(answer.status == 403, "\(path)")
        }
        #expect(try await world.service.runs.run(RunID("milan")!)?.isCancelled == false)
    }

    @Test func `tells the later of two who change a run at once`() async throws {
        let world = try await RunWorld.make()
        let anna = await world.organiser()
        await anna.post("/my-runs/new", RunWorld.fields)
        await anna.get("/my-runs/milan")
        let course = try await course(of: world)
        func change(_ title: String) async -> Seen {
            await anna.post(
                "/my-runs/milan",
                RunWorld.with("title", title).map { $0.0 == "course" ? ("course", course) : $0 } + [
                    ("version", "1")
                ])
        }
        #expect(await change("First").status == 303)
        let later = await change("Second")
        #expect(later.status == 409)
        #expect(later.text.contains("Somebody else has changed the run"))
        #expect(later.text.contains("name=\"version\" value=\"2\""))
        #expect(try await world.service.runs.run(RunID("milan")!)?.definition.outline.title == "First")
    }

    private func course(of world: RunWorld) async throws -> String {
        guard
            case .line(let line)? = try await world.service.runs.run(RunID("milan")!)?.definition.outline.course
        else { return "" }
        return line.text
    }

    @Test func `shows a name to spectators only with the runner's yes, and nothing after the runner has left`()
        async throws
    {
        let world = try await RunWorld.make()
        let anna = await world.organiser()
        await anna.post("/my-runs/new", RunWorld.fields)
        await anna.post("/my-runs/milan/participants", RunWorld.runner(17, name: "Marta <b>Neri</b>"))
        await anna.post("/my-runs/milan/participants", RunWorld.runner(18, name: "Secret Person", shows: false))
        let visitor = world.trial.browser()
        let page = await visitor.get("/runs/milan")
        #expect(page.text.contains("Marta &lt;b&gt;Neri&lt;/b&gt;"))
        #expect(!page.text.contains("Secret Person"))
        #expect(page.text.contains("/runs/milan/runners/18"))
        // The search knows no name that is not shown.
        world.trial.advance(2)
        #expect(await visitor.get("/runs/milan?text=secret").text.contains("No runner is found"))
        #expect(await visitor.get("/runs/milan?text=marta").text.contains("/runners/17"))
        #expect(await visitor.get("/runs/milan/runners/17").status == 200)
        #expect(
            await visitor.get("/api/v1/runs/milan").text.contains(#""bib":18,"state":"expected","splits":[]"#))
        await anna.post("/my-runs/milan/participants/leave", [("bib", "17")])
        world.trial.advance(2)
        #expect(!(await visitor.get("/runs/milan/part").text.contains("Marta")))
        #expect(await visitor.get("/runs/milan/runners/17").status == 404)
    }

    @Test func `lets a person participate with a tracker, and leave`() async throws {
        let world = try await RunWorld.make()
        let anna = await world.organiser()
        await anna.post("/my-runs/new", RunWorld.fields)
        let chris = world.trial.browser()
        await chris.register("chris")
        #expect(await chris.get("/runs/milan/join").text.contains("spectators see your bib"))
        let none = await chris.post("/runs/milan/join", [("bib", "30"), ("name", "Chris")])
        #expect(none.status == 409)
        #expect(none.text.contains("nothing to be tracked by"))
        #expect(await chris.post("/runs/milan/join", RunWorld.runner(30, name: "Chris")).status == 303)
        #expect(await chris.get("/my-runs").text.contains("Bib 30"))
        await chris.get("/runs/milan/join")
        #expect(await chris.post("/runs/milan/leave", []).status == 303)
        #expect(try await world.service.runs.participants(of: RunID("milan")!).isEmpty)
    }

    @Test func `refuses more participants than the run takes`() async throws {
        let world = try await RunWorld.make()
        let anna = await world.organiser()
        await anna.post("/my-runs/new", RunWorld.fields)
        for bib in [17, 18] {
            #expect(
                await anna.post("/my-runs/milan/participants", RunWorld.runner(bib, name: "A")).status == 303)
        }
        let third = await anna.post("/my-runs/milan/participants", RunWorld.runner(19, name: "A"))
        #expect(third.status == 409)
        #expect(third.text.contains("as many participants as it may"))
    }

    @Test func `adds a box by its code, and sends it signed commands`() async throws {
        let world = try await RunWorld.make()
        let anna = await world.organiser()
        await anna.post("/my-runs/new", RunWorld.fields)
        #expect(
            await anna.get("/my-runs/milan").text.contains("house-11 stands at a checkpoint and is not added"))
        #expect(await anna.post("/my-runs/milan/boxes", [("code", "eyJ.x.y")]).status == 409)
        // A box of a fleet to which the account does not belong.
        #expect(await anna.post("/my-runs/milan/boxes", [("code", "house-12")]).status == 409)
        #expect(try await world.add("house-11", by: anna).status == 303)
        try await world.service.sendChanges()
        let commands = try await world.trial.stores.links.due(at: world.trial.parts.clock(), most: 10)
        #expect(commands.map(\.gateway.text) == ["house-11"])
        #expect(await anna.get("/my-runs/milan").text.contains("run-create, house-11"))
        #expect(await anna.get("/my-runs/milan").text.contains("on its way, signed"))
    }

    @Test func `takes a box out after a question, and tells why it cannot`() async throws {
        let world = try await RunWorld.make()
        let anna = await world.organiser()
        await anna.post("/my-runs/new", RunWorld.fields)
        for box in ["house-11", "house-14"] { #expect(try await world.add(box, by: anna).status == 303) }
        try await world.service.sendChanges()
        let stands = await anna.post("/my-runs/milan/boxes/house-11/remove", [])
        #expect(stands.status == 409)
        #expect(stands.text.contains("Change the checkpoints first"))
        #expect(await anna.get("/my-runs/milan/boxes/house-14/remove").text.contains("permanently"))
        #expect(await anna.post("/my-runs/milan/boxes/house-14/remove", []).status == 303)
        let page = await anna.get("/my-runs/milan")
        #expect(!page.text.contains("Take house-14 out"))
        #expect(page.text.contains("Take house-11 out"))
        #expect(await anna.post("/my-runs/milan/boxes/house-14/remove", []).text.contains("has no such box"))
        let again = try await world.add("house-14", by: anna)
        #expect(again.status == 409)
        #expect(again.text.contains("was taken out of this run"))
        let bruno = await world.person("bruno")
        #expect(await bruno.post("/my-runs/milan/boxes/house-11/remove", []).status == 403)
    }

    @Test func `cancels a run underway after a question`() async throws {
        let world = try await RunWorld.make()
        let anna = await world.organiser()
        await anna.post("/my-runs/new", RunWorld.fields)
        #expect(await anna.get("/my-runs/milan/cancel").text.contains("permanently"))
        #expect(await anna.post("/my-runs/milan/cancel", []).status == 303)
        let visitor = world.trial.browser()
        #expect(await visitor.get("/runs/milan").text.contains("cancelled"))
        #expect(await visitor.get("/api/v1/runs").text.contains(#""state":"cancelled""#))
        await anna.get("/my-runs")
        #expect(await anna.post("/my-runs/milan/cancel", []).status == 409)
    }

    @Test func `speaks Italian`() async throws {
        let world = try await RunWorld.make()
        let anna = await world.organiser()
        await anna.post("/my-runs/new", RunWorld.fields)
        let page = await world.trial.browser().get("/runs/milan", headers: ["accept-language": "it"])
        #expect(page.text.contains("Classifica"))
        #expect(page.text.contains("Percorso di Milan"))
    }

    // MARK: Open pages

    /// Counts the news that a page is told of.
    private final class Bell: Sendable {
        private let count = Mutex(0)
        var rings: Int { count.withLock { $0 } }
        func ring() { count.withLock { $0 += 1 } }
    }

    @Test func `hands a late page the newest frame at once, and a slow page no older one`() throws {
        let (hub, bell) = (RunHub(), Bell())
        let first = try #require(hub.open(RunWorld.run) { bell.ring() })
        // A page is older than its stream: it loads its part once.
        let opening = try #require(first.news())
        #expect(opening.frame == nil && opening.isChanged)
        #expect(first.news() == nil)
        for number in 1...3 { hub.publish([UInt8(number)], isChange: number == 2, of: RunWorld.run) }
        #expect(bell.rings == 4)
        let newest = try #require(first.news())
        #expect(newest.frame == [3] && newest.isChanged)
        let late = try #require(hub.open(RunWorld.run) {})
        #expect(late.news()?.frame == [3])
        hub.publish(nil, isChange: false, of: RunWorld.run)
        hub.publish([4], isChange: false, of: RunID("rome")!)
        #expect(first.news() == nil && bell.rings == 4)
    }

    @Test func `gives a page that opens after a withdrawal no frame from before`() throws {
        let hub = RunHub()
        let open = try #require(hub.open(RunWorld.run) {})
        hub.publish([1], isChange: false, of: RunWorld.run)
        hub.changed(RunWorld.run, isWithdrawal: true)
        let late = try #require(hub.open(RunWorld.run) {})
        #expect(late.news()?.frame == nil)
        #expect(open.news()?.frame == nil)
        hub.publish([2], isChange: false, of: RunWorld.run)
        #expect(late.news()?.frame == [2] && open.news()?.frame == [2])
    }

    @Test func `tells the other servers its own changes alone, and takes theirs`() throws {
        struct Told: Hashable {
            let run: RunID
            let isWithdrawal: Bool
        }
        let told = Recorder<Told>()
        let hub = RunHub { told.add(Told(run: $0, isWithdrawal: $1)) }
        let page = try #require(hub.open(RunWorld.run) {})
        hub.changed(RunWorld.run)
        hub.changed(RunWorld.run, isWithdrawal: true)
        let own = hub.marks(of: RunWorld.run)
        #expect(own.changes == 2 && own.withdrawals == 1)
        hub.reported(RunWorld.run, isWithdrawal: false)
        #expect(hub.marks(of: RunWorld.run).changes == 3 && hub.marks(of: RunWorld.run).withdrawals == 1)
        hub.publish([1], isChange: false, of: RunWorld.run)
        hub.mayHaveMissedChanges()
        #expect(hub.marks(of: RunWorld.run).withdrawals == 2, "each run makes its frame anew")
        #expect(page.news()?.frame == nil, "a withdrawal may have been missed")
        #expect(
            told.values == [false, true].map { Told(run: RunWorld.run, isWithdrawal: $0) })
    }

    @Test func `takes so many pages and no more, and spreads their loads`() throws {
        let hub = RunHub(most: 1_001)
        let pages = (0..<1_001).compactMap { _ in hub.open(RunWorld.run) {} }
        #expect(pages.count == 1_001 && hub.spread == .seconds(3))
        #expect(hub.open(RunWorld.run) {} == nil)
        pages[0].close()
        pages[0].close()
        #expect(hub.viewers == 1_000 && hub.open(RunWorld.run) {} != nil)
        for page in pages { page.close() }
        #expect(hub.viewers == 1 && hub.watched == [RunWorld.run])
    }
}
