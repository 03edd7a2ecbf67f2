import Accounts
import CloudCommands
import GatewayModel
import Runs
import SQLDatabase
import SiteSamples
import Store
import StoreSamples
import WebPages

/// Site with the pages and the API of runs.
struct RunWorld {
    static let run = RunID("milan")!

    let trial: TrialSite
    let service: RunService
    let hub: RunHub

    static func make() async throws -> RunWorld {
        let hub = RunHub()
        var made: RunService?
        let trial = try await TrialSite(
            migrations: RunStore.migrations, exports: RunStore.exports
        ) { parts, file in
            let service = RunService(
                runs: RunStore(file: file), fleets: parts.stores.fleets, signer: TrialSite.signer,
                issuer: IssuerID("trackme")!, operatorName: "Test clinic", clock: parts.clock)
            made = service
            return RunPages(parts: parts, service: service, hub: hub).routes
        } onRun: {
            try RunStore.receive($0, $1)
        }
        return RunWorld(trial: trial, service: made!, hub: hub)
    }

    /// A user on a page with a form.
    func person(_ name: String) async -> TrialBrowser {
        let browser = trial.browser()
        await browser.register(name)
        await browser.get("/my-runs/new")
        return browser
    }

    func organiser() async -> TrialBrowser { await person("anna") }

    /// Adds a box by its code.
    func add(_ box: String, by browser: TrialBrowser) async throws -> Seen {
        let identity = GatewayIdentity(gateway: GatewayID(box)!, seed: [UInt8](repeating: 7, count: 32))!
        return await browser.post(
            "/my-runs/milan/boxes", [("code", try identity.claim(at: trial.parts.clock()))])
    }

    /// The clock of the trial shows 2026-03-01T12:00:00Z.
    static let fields = [
        ("id", "milan"), ("title", "Milan <10K> & friends"), ("description", "Through \"the\" park"),
        ("waves", "2026-03-01T11:30:00Z"), ("end", "2026-03-01T14:00:00Z"),
        ("checkpoints", "start 0 house-11; finish 1000 house-13 finish"), ("course", gpx), ("most", "2"),
    ]

    static let gpx =
        #"<?xml version="1.0"?><gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>"#
        + #"<trkpt lat="45.46" lon="9.18"/><trkpt lat="45.464" lon="9.18"/><trkpt lat="45.4685" lon="9.18"/>"#
        + "</trkseg></trk></gpx>"

    static func with(_ name: String, _ value: String) -> [(String, String)] {
        fields.map { $0.0 == name ? (name, value) : $0 }
    }

    static func runner(_ bib: Int, name: String, shows: Bool = true) -> [(String, String)] {
        [("bib", "\(bib)"), ("name", name), ("tag", "C0:FF:EE:00:00:\(bib)")]
            + (shows ? [("shows", "yes")] : [])
    }
}
