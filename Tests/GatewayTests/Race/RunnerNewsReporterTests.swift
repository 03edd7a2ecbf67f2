import ConsentService
import Foundation
import GatewayModel
import Hub
import Logging
import ModelSamples
import OutboxService
import RealTime
import RunBeacon
import Samples
import Settings
import SettingsSamples
import TestSupport
import Testing
import Vault

@testable import Race

@Suite struct `The news of runners of a box` {
    private let scratch: ScratchDirectory
    private let core: GatewayCore
    private let news: RunnerNewsReporter

    init() throws {
        scratch = try ScratchDirectory()
        let settings = try GatewaySettings.load(path: try scratch.writeSettings().path)
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let marks = StateMarks(in: settings.gateway.stateDirectory, boot: "test")
        let (gate, ledger) = ConsentStart(of: settings, marks, log).parts
        core = try GatewayCore(
            version: "test", settings: { settings }, boot: "test", marks: marks, gate: gate, ledger: ledger,
            isClockTrusted: { true }, log: log)
        news = RunnerNewsReporter(core)
    }

    private func catalog(_ bibs: Int...) throws -> RunCatalog {
        let now = Clock.wall()
        let outline = RunOutline(
            title: "Spring", end: now.advanced(by: .seconds(3_600)),
            waves: [Wave(id: WaveID(sample: "all"), start: now)],
            checkpoints: [
                try #require(Checkpoint(id: CheckpointID(sample: "finish"), distances: [9_900], isFinish: true))
            ])
        let entrants = try bibs.map { Entrant(bib: try #require(Bib($0))) }
        var catalog = RunCatalog()
        catalog.replaceFiles(
            [RunPlan(id: RunID(sample: "milan"), outline: outline, entrants: entrants)], with: RunMaterials(),
            at: now)
        return catalog
    }

    @Test func `tell once of a runner that enrols and leaves between two looks`() throws {
        let (both, one) = (try catalog(17, 18), try catalog(17))
        news.follow(both)
        #expect(core.queue.count == 0)
        news.follow(one)
        #expect(core.queue.count == 1)
        news.look({ one }, status: nil, at: Clock.moment())
        #expect(core.queue.count == 1)
    }
}
