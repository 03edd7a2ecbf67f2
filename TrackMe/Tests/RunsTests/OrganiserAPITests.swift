import CloudCommands
import Foundation
import GatewayModel
import RunBeacon
import Runs
import SiteSamples
import StoreSamples
import Testing
import WebPages

/// Organisers' and runners' acts by the API, with the session of an account.
struct OrganiserAPITests {
    private static let definition = """
        "title":"Milan \\"10K\\"","description":"Park","end":"2026-03-01T14:00:00Z","most":2,
        "waves":[{"id":"all","start":"2026-03-01T12:30:00Z"}],
        "checkpoints":[{"id":"start","distances_m":[0],"box":"house-11"},
            {"id":"finish","distances_m":[1000.5],"finish":true}]
        """
    private static let new = #"{"run":"milan",\#(definition)}"#

    private static func send(
        _ browser: TrialBrowser, _ path: String, _ body: String = "", key: String? = UUID().uuidString,
        headers: [String: String] = [:]
    ) async -> Seen {
        var sent = ["content-type": "application/json"]
        sent["idempotency-key"] = key
        sent.merge(headers) { $1 }
        return await browser.send("POST", "/api/v1" + path, body: body, headers: sent)
    }

    private static func json(_ seen: Seen) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(seen.text.utf8)) as? [String: Any])
    }

    /// World with the run, and its organiser.
    private static func organised() async throws -> (world: RunWorld, anna: TrialBrowser) {
        let world = try await RunWorld.make()
        let anna = await world.organiser()
        #expect(await send(anna, "/runs", new).status == 201)
        return (world, anna)
    }

    @Test func `creates a run, and answers with it and its place`() async throws {
        let world = try await RunWorld.make()
        let anna = await world.organiser()
        let answer = await Self.send(anna, "/runs", Self.new)
        #expect(answer.status == 201)
        #expect(answer.header("Location") == "/api/v1/runs/milan/organise")
        let run = try Self.json(answer)
        #expect(run["title"] as? String == "Milan \"10K\"")
        #expect(run["version"] as? Int == 1)
        #expect(run["role"] as? String == "organiser")
        #expect(run["state"] as? String == "idle")
        let points = try #require(run["checkpoints"] as? [[String: Any]])
        #expect(points.map { $0["distances_m"] as? [Double] } == [[0], [1000.5]])
        #expect(points.map { $0["finish"] as? Bool } == [false, true])
        #expect(try Self.json(await anna.get("/api/v1/runs/milan/organise"))["version"] as? Int == 1)
    }

    @Test func `does a request once under its key, and refuses another one under it`() async throws {
        let world = try await RunWorld.make()
        let anna = await world.organiser()
        for _ in 0..<2 {
            #expect(await Self.send(anna, "/runs", Self.new, key: "k1").status == 201)
        }
        // Without a key of the same act it is a second run of the same name.
        #expect(await Self.send(anna, "/runs", Self.new, key: "k2").status == 409)
        let other = await Self.send(anna, "/runs/milan/cancel", key: "k1")
        #expect(other.status == 409)
        #expect(other.text.contains("Idempotency-Key belongs to another act"))
        for _ in 0..<2 { #expect(await Self.send(anna, "/runs/milan/cancel", key: "k3").status == 200) }
        #expect(await Self.send(anna, "/runs/milan/cancel", key: "k4").status == 409)
    }

    @Test func `takes nothing without a session, without a key, or from another site`() async throws {
        let (world, anna) = try await Self.organised()
        let visitor = world.trial.browser()
        let none = await Self.send(visitor, "/runs", Self.new)
        #expect(none.status == 401)
        #expect(none.header("Content-Type") == "application/problem+json")
        #expect(await Self.send(anna, "/runs/milan/cancel", key: nil).status == 400)
        #expect(await Self.send(anna, "/runs/milan/cancel", key: "two words").status == 400)
        for headers in [["origin": "https://evil.example"], ["sec-fetch-site": "cross-site"]] {
            #expect(await Self.send(anna, "/runs/milan/cancel", headers: headers).status == 403)
        }
        let form = await Self.send(
            anna, "/runs", Self.new, headers: ["content-type": "application/x-www-form-urlencoded"])
        #expect(form.status == 400)
        #expect(try await world.service.runs.run(RunWorld.run)?.isCancelled == false)
    }

    @Test(arguments: [
        ("", "not the JSON"), ("[]", "not the JSON"), (#"{"run":"milan"}"#, "not the JSON"),
        (#"{"run":"Milan!",\#(definition)}"#, "run is no name"),
        (new.replacing("14:00:00Z", with: "14:00"), "end is no time"),
        (new.replacing("12:30:00Z", with: "noon"), "a wave has an id"),
        (new.replacing("[1000.5]", with: "[1000,5]"), "ascending distances_m"),
        (new.replacing("house-11", with: "House 11"), "no name of a box"),
        (new.replacing(#""most":2"#, with: #""most":2001"#), "from 1 to 2000"),
        (new.replacing(#""id":"finish""#, with: #""id":"start""#), "contradicts itself"),
        (new.replacing(#""most":2"#, with: #""most":2,"course":"<gpx></gpx>""#), "no course"),
        (new.replacing("2026-03-01T14", with: "2026-03-01T11"), "contradicts itself"),
        (new.replacing("T14", with: "T11").replacing("T12:30", with: "T10:30"), "over"),
    ])
    func `refuses a definition with a fault, with the reason`(body: String, reason: String) async throws {
        let world = try await RunWorld.make()
        let answer = await Self.send(await world.organiser(), "/runs", body)
        #expect(answer.status == 400 || answer.status == 409)
        #expect(answer.header("Content-Type") == "application/problem+json")
        #expect(answer.text.contains(reason), "\(answer.text)")
        #expect(try await world.service.runs.run(RunWorld.run) == nil)
    }

    @Test func `changes a run from its version alone`() async throws {
        let (world, anna) = try await Self.organised()
        func change(_ title: String, _ version: String) async -> Seen {
            await Self.send(
                anna, "/runs/milan/organise",
                "{\(version)\(Self.definition)}".replacing("Milan \\\"10K\\\"", with: title))
        }
        #expect(await change("No version", "").status == 400)
        #expect(await change("First", #""version":1,"#).status == 200)
        let late = await change("Second", #""version":1,"#)
        #expect(late.status == 409)
        #expect(late.text.contains("Somebody else has changed the run"))
        #expect(try await world.service.runs.run(RunWorld.run)?.definition.outline.title == "First")
    }

    @Test func `names and removes co-organisers, by the organiser alone`() async throws {
        let (world, anna) = try await Self.organised()
        let bruno = await world.person("bruno")
        let body = #"{"user":"bruno"}"#
        #expect(await Self.send(bruno, "/runs/milan/organisers", body).status == 403)
        #expect(await bruno.get("/api/v1/runs/milan/organise").status == 403)
        #expect(await Self.send(anna, "/runs/milan/organisers", #"{"user":"nobody.here"}"#).status == 404)
        let named = try Self.json(await Self.send(anna, "/runs/milan/organisers", body))
        #expect((named["organisers"] as? [[String: String]])?.map { $0["user"] } == ["anna", "bruno"])
        #expect(
            try Self.json(await bruno.get("/api/v1/runs/milan/organise"))["role"] as? String == "co-organiser")
        #expect(await Self.send(bruno, "/runs/milan/cancel").status == 403)
        #expect(await Self.send(anna, "/runs/milan/organisers/bruno/remove").status == 200)
        #expect(await bruno.get("/api/v1/runs/milan/organise").status == 403)
    }

    @Test func `adds a box by its code and takes it out, and limits wrong codes`() async throws {
        let (world, anna) = try await Self.organised()
        let box = GatewayIdentity(gateway: GatewayID("house-14")!, seed: [UInt8](repeating: 7, count: 32))!
        let code = try box.claim(at: world.trial.parts.clock())
        let added = try Self.json(await Self.send(anna, "/runs/milan/boxes", #"{"box":"\#(code)"}"#))
        #expect(added["boxes"] as? [String] == ["house-14"])
        try await world.service.sendChanges()
        world.trial.advance(1)
        let removed = try Self.json(await Self.send(anna, "/runs/milan/boxes/house-14/remove"))
        #expect(removed["boxes"] as? [String] == [])
        try await world.service.sendChanges()
        let commands = try Self.json(await anna.get("/api/v1/runs/milan/organise"))["commands"]
        #expect(
            (commands as? [[String: String]])?.map { $0["type"] } == ["run-cancel", "run-create"])
        #expect(await Self.send(anna, "/runs/milan/boxes/house-14/remove", "{}").status == 404)
        var statuses: Set<Int> = []
        for _ in 0..<12 {
            statuses.insert(await Self.send(anna, "/runs/milan/boxes", #"{"box":"eyJ.x.y"}"#).status)
        }
        #expect(statuses == [400, 429])
    }

    @Test func `enrols runners and pages them, for organisers alone`() async throws {
        let (world, anna) = try await Self.organised()
        func runner(_ bib: Int) -> String {
            #"{"bib":\#(bib),"name":"Runner","tags":["C0:FF:EE:00:00:\#(bib)"],"shows_name":true}"#
        }
        for bib in [17, 18] {
            let answer = await Self.send(anna, "/runs/milan/participants", runner(bib))
            #expect(answer.text == #"{"bib":\#(bib),"run":"milan"}"#)
        }
        #expect(await Self.send(anna, "/runs/milan/participants", runner(19)).status == 409)
        #expect(await Self.send(anna, "/runs/milan/participants", #"{"bib":17}"#).status == 400)
        let page = try Self.json(await anna.get("/api/v1/runs/milan/participants?limit=1"))
        let first = try #require((page["participants"] as? [[String: Any]])?.first)
        #expect(first["bib"] as? Int == 17)
        #expect(first["tags"] as? [String] == ["C0:FF:EE:00:00:17"])
        let rest = await anna.get("/api/v1/runs/milan/participants?after=17").text
        #expect(rest.contains(#""bib":18"#) && !rest.contains(#""bib":17"#))
        #expect(await anna.get("/api/v1/runs/milan/participants?after=18").text == #"{"participants":[]}"#)
        for query in ["limit=0", "limit=201", "after=-1", "after=x"] {
            #expect(await anna.get("/api/v1/runs/milan/participants?\(query)").status == 400)
        }
        let bruno = await world.person("bruno")
        #expect(await bruno.get("/api/v1/runs/milan/participants").status == 403)
        #expect(await Self.send(bruno, "/runs/milan/participants/17/leave").status == 403)
        #expect(await Self.send(anna, "/runs/milan/participants/17/leave").status == 200)
        #expect(await Self.send(anna, "/runs/milan/participants/17/leave").status == 404)
    }

    @Test func `lets a person participate, list her runs, and leave`() async throws {
        let (world, _) = try await Self.organised()
        let chris = await world.person("chris")
        let body = #"{"bib":30,"tags":["C0:FF:EE:00:00:30"]}"#
        #expect(await Self.send(chris, "/runs/milan/join", body).status == 200)
        let runs = try #require(
            try Self.json(await chris.get("/api/v1/me/runs"))["runs"] as? [[String: Any]])
        #expect(runs.map { $0["bib"] as? Int } == [30])
        #expect(runs.first?["role"] == nil)
        #expect(await chris.get("/api/v1/me/runs?after=milan").text == #"{"runs":[]}"#)
        #expect(await Self.send(chris, "/runs/milan/participants/30/leave").status == 200)
        #expect(try await world.service.runs.participants(of: RunWorld.run).isEmpty)
        #expect(await Self.send(chris, "/runs/nothing/join", body).status == 404)
    }
}
