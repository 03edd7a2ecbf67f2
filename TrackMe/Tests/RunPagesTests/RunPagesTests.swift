import Accounts
import CloudCommands
import GatewayModel
import RunBeacon
import RunPages
import RunService
import Runs
import RunsLite
import SiteSamples
import Store
import StoreLite
import StoreSamples
import Testing
import WebPages

/// Runs, asked as browsers of organisers, runners and spectators ask.
struct RunPagesTests {
    private struct World {
        let trial: TrialSite
        let service: RunService

        static func make() async throws -> World {
            let hub = RunHub()
            var made: RunService?
            let trial = try await TrialSite(migrations: RunsLite.migrations) { parts, file in
                let service = RunService(
                    runs: RunsLite(file: file), fleets: parts.stores.fleets, signer: TrialSite.signer,
                    issuer: IssuerID("trackme")!, operatorName: "Test clinic", clock: parts.clock)
                made = service
                return RunPages(parts: parts, service: service, hub: hub).routes
            }
            return World(trial: trial, service: made!)
        }

        func organiser() async throws -> TrialBrowser {
            let browser = trial.browser()
            await browser.register("anna")
            await browser.get("/my-runs/new")
            return browser
        }
    }

    /// The clock of the trial shows 2026-03-01T12:00:00Z.
    private static let fields = [
        ("id", "milan"), ("title", "Milan <10K> & friends"), ("description", "Through \"the\" park"),
        ("waves", "2026-03-01T11:30:00Z"), ("end", "2026-03-01T14:00:00Z"),
        ("checkpoints", "start 0 house-11; finish 1000 house-13 finish"), ("course", gpx), ("most", "2"),
    ]

    private static let gpx =
        #"<?xml version="1.0"?><gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>"#
        + #"<trkpt lat="45.46" lon="9.18"/><trkpt lat="45.464" lon="9.18"/><trkpt lat="45.4685" lon="9.18"/>"#
        + "</trkseg></trk></gpx>"

    private static func with(_ name: String, _ value: String) -> [(String, String)] {
        fields.map { $0.0 == name ? (name, value) : $0 }
    }

    private static func runner(_ bib: Int, name: String, shows: Bool = true) -> [(String, String)] {
        [("bib", "\(bib)"), ("name", name), ("tag", "C0:FF:EE:00:00:\(bib)")]
            + (shows ? [("shows", "yes")] : [])
    }

    @Test func `takes a run with a course out of a GPX file, and shows it to everybody`() async throws {
        let world = try await World.make()
        let anna = try await world.organiser()
        #expect(await anna.post("/my-runs/new", Self.fields).status == 303)
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
        let world = try await World.make()
        let anna = try await world.organiser()
        let answer = await anna.post("/my-runs/new", Self.with(field, value))
        #expect(answer.status == 422)
        #expect(answer.text.contains(reason), "\(answer.text)")
        #expect(answer.text.contains("Through &quot;the&quot; park"))
        #expect(try await world.service.runs.run(RunID("milan")!) == nil)
    }

    @Test func `asks visitors to sign in before an act, and strangers to stay out`() async throws {
        let world = try await World.make()
        let anna = try await world.organiser()
        await anna.post("/my-runs/new", Self.fields)
        let visitor = world.trial.browser()
        #expect(await visitor.get("/my-runs").status == 303)
        let bruno = world.trial.browser()
        await bruno.register("bruno")
        #expect(await bruno.get("/my-runs/milan").status == 403)
        await bruno.get("/my-runs/new")
        for path in ["", "/cancel", "/organisers", "/participants", "/participants/leave"] {
            let answer = await bruno.post(
                "/my-runs/milan" + path,
                Self.fields + [
                    ("version", "1"), ("user", "bruno"), ("bib", "17"), ("tag", "C0:FF:EE:00:00:17"),
                ])
            #expect(answer.status == 403, "\(path)")
        }
        #expect(try await world.service.runs.run(RunID("milan")!)?.isCancelled == false)
    }

    @Test func `tells the later of two who change a run at once`() async throws {
        let world = try await World.make()
        let anna = try await world.organiser()
        await anna.post("/my-runs/new", Self.fields)
        await anna.get("/my-runs/milan")
        let course = try await course(of: world)
        func change(_ title: String) async -> Seen {
            await anna.post(
                "/my-runs/milan",
                Self.with("title", title).map { $0.0 == "course" ? ("course", course) : $0 } + [
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

    private func course(of world: World) async throws -> String {
        guard
            case .line(let line)? = try await world.service.runs.run(RunID("milan")!)?.definition.outline.course
        else { return "" }
        return line.text
    }

    @Test func `shows a name to spectators only with the runner's yes, and nothing after the runner has left`()
        async throws
    {
        let world = try await World.make()
        let anna = try await world.organiser()
        await anna.post("/my-runs/new", Self.fields)
        await anna.post("/my-runs/milan/participants", Self.runner(17, name: "Marta <b>Neri</b>"))
        await anna.post("/my-runs/milan/participants", Self.runner(18, name: "Secret Person", shows: false))
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
        let world = try await World.make()
        let anna = try await world.organiser()
        await anna.post("/my-runs/new", Self.fields)
        let chris = world.trial.browser()
        await chris.register("chris")
        #expect(await chris.get("/runs/milan/join").text.contains("spectators see your bib"))
        let none = await chris.post("/runs/milan/join", [("bib", "30"), ("name", "Chris")])
        #expect(none.status == 409)
        #expect(none.text.contains("nothing to be tracked by"))
        #expect(await chris.post("/runs/milan/join", Self.runner(30, name: "Chris")).status == 303)
        #expect(await chris.get("/my-runs").text.contains("Bib 30"))
        await chris.get("/runs/milan/join")
        #expect(await chris.post("/runs/milan/leave", []).status == 303)
        #expect(try await world.service.runs.participants(of: RunID("milan")!).isEmpty)
    }

    @Test func `refuses more participants than the run takes`() async throws {
        let world = try await World.make()
        let anna = try await world.organiser()
        await anna.post("/my-runs/new", Self.fields)
        for bib in [17, 18] {
            #expect(await anna.post("/my-runs/milan/participants", Self.runner(bib, name: "A")).status == 303)
        }
        let third = await anna.post("/my-runs/milan/participants", Self.runner(19, name: "A"))
        #expect(third.status == 409)
        #expect(third.text.contains("as many participants as it may"))
    }

    @Test func `adds a box by its code, and sends it signed commands`() async throws {
        let world = try await World.make()
        let anna = try await world.organiser()
        await anna.post("/my-runs/new", Self.fields)
        #expect(
            await anna.get("/my-runs/milan").text.contains("house-11 stands at a checkpoint and is not added"))
        let box = GatewayIdentity(gateway: GatewayID("house-11")!, seed: [UInt8](repeating: 7, count: 32))!
        let code = try box.claim(at: world.trial.parts.clock())
        #expect(await anna.post("/my-runs/milan/boxes", [("code", "eyJ.x.y")]).status == 409)
        // A box of a fleet to which the account does not belong.
        #expect(await anna.post("/my-runs/milan/boxes", [("code", "house-12")]).status == 409)
        #expect(await anna.post("/my-runs/milan/boxes", [("code", code)]).status == 303)
        try await world.service.sendChanges()
        let commands = try await world.trial.stores.commands.due(at: world.trial.parts.clock(), most: 10)
        #expect(commands.map(\.gateway.text) == ["house-11"])
        #expect(await anna.get("/my-runs/milan").text.contains("run-create, house-11"))
        #expect(await anna.get("/my-runs/milan").text.contains("on its way, signed"))
    }

    @Test func `cancels a run underway after a question`() async throws {
        let world = try await World.make()
        let anna = try await world.organiser()
        await anna.post("/my-runs/new", Self.fields)
        #expect(await anna.get("/my-runs/milan/cancel").text.contains("permanently"))
        #expect(await anna.post("/my-runs/milan/cancel", []).status == 303)
        let visitor = world.trial.browser()
        #expect(await visitor.get("/runs/milan").text.contains("cancelled"))
        #expect(await visitor.get("/api/v1/runs").text.contains(#""state":"cancelled""#))
        await anna.get("/my-runs")
        #expect(await anna.post("/my-runs/milan/cancel", []).status == 409)
    }

    @Test func `speaks Italian`() async throws {
        let world = try await World.make()
        let anna = try await world.organiser()
        await anna.post("/my-runs/new", Self.fields)
        let page = await world.trial.browser().get("/runs/milan", headers: ["accept-language": "it"])
        #expect(page.text.contains("Classifica"))
        #expect(page.text.contains("Percorso di Milan"))
    }

    @Test func `slows its open pages down with many viewers, and takes 5,000`() {
        let hub = RunHub()
        for _ in 0..<500 { #expect(hub.begin()) }
        #expect(hub.interval == .seconds(1))
        for _ in 500..<RunHub.mostViewers { #expect(hub.begin()) }
        #expect(hub.interval == .seconds(10))
        #expect(!hub.begin())
        hub.end()
        #expect(hub.begin())
    }
}
