import Consent
import Contract
import GatewayModel
import Hub
import Logging
import OutboxService
import RealTime
import RunBeacon
import Settings
import Synchronization
import Vault

/// Tells the organiser and the family of runners that are overdue, found, without a position, or no longer in their run.
final class RunnerNewsReporter: Sendable {
    private struct State {
        var machine: RunnerNewsMachine
        var marks = MessageMarks()
    }

    private let state: Mutex<State>
    private let core: GatewayCore

    /// Restores the state of the last run of the program. Where it cannot be read, the present troubles are told again. Blocking I/O.
    init(_ core: GatewayCore) {
        var records: [RunID: RunnerNewsMachine.Record] = [:]
        do throws(DiskFailure) {
            for row in try core.database.rows(of: .runnerNews) {
                guard let run = RunID(row.key) else { continue }
                records[run] = row.decoded(as: RunnerNewsMachine.Record.self)
            }
        } catch {
            core.log.error("the news of runners cannot be restored", metadata: ["reason": "\(error)"])
        }
        state = Mutex(State(machine: RunnerNewsMachine(records)))
        self.core = core
    }

    /// Follows a change of the runs: one that enrols and leaves between two looks has left, too.
    func follow(_ catalog: RunCatalog) { look({ catalog }, status: nil, at: Clock.moment()) }

    /// Call every few seconds.
    ///
    /// - Parameter catalog: called under the lock, so that no older catalogue is seen after a newer one.
    func look(_ catalog: () -> RunCatalog, status: RaceStatus?, at now: Moment) {
        state.withLock { state in
            let catalog = catalog()
            let current = catalog.enrolments.filter { run, _ in
                catalog.runs[run].map { $0.end > now.wall } ?? false
            }
            let situation = RunnerNewsMachine.Situation(now: now, enrolments: current, status: status)
            let before = state.machine.records
            for news in state.machine.look(situation) {
                guard let run = catalog.runs[news.owner.run] else { continue }
                send(news, of: run)
            }
            for run in Set(before.keys).union(state.machine.records.keys).sorted(by: { $0.text < $1.text })
            where before[run] != state.machine.records[run] {
                let row: StateChange =
                    state.machine.records[run].map { .put(.runnerNews, run.text, $0) }
                    ?? .remove(.runnerNews, key: run.text)
                state.marks.add(row, after: core.queue)
            }
        }
    }

    /// Writes the rows of the durable messages. Call it also at the end of the gateway.
    func keepMarks() {
        let rows = state.withLock { $0.marks.take(by: core.queue) }
        if !rows.isEmpty { core.writer.put(rows) }
    }

    private func send(_ news: RunnerNews, of run: Run) {
        core.log.notice(
            "news of a runner",
            metadata: ["run": "\(run.id)", "bib": "\(news.owner.bib)", "event": "\(news.event.name)"])
        let envelope = Envelope.runnerNews(news, start: run.start, topics: core.topics)
        if let cleared = try? core.gate.clear(envelope) { core.queue.enqueue(cleared) }
        guard let id = run.participant(news.owner.bib)?.person,
            let person = core.settings().persons.first(where: { $0.id == id })?.profile,
            let words = news.words(about: person.name, in: run.title)
        else { return }
        core.notices.post(
            Notice(
                about: id, "runner \(run.id) \(words.matter)", to: .carers, .atOnce, words.text))
    }
}

extension RunnerNews {
    /// Words for the carers; nil for the end of an enrolment, of which the command tells them.
    fileprivate func words(
        about name: String, in run: String
    ) -> (matter: String, text: Text)? {
        switch event {
        case .overdue(let checkpoint, _, _):
            (
                "overdue",
                Text(
                    en: "\(name) should have passed \(checkpoint) in the run \(run) by now, and has not. "
                        + "Call them, or ask the organiser.",
                    it:
                        "\(name) avrebbe dovuto passare \(checkpoint) nella corsa \(run), e non è passato nessuno. "
                        + "Telefonare, o chiedere all'organizzatore.")
            )
        case .found(let checkpoint):
            (
                "overdue",
                Text(
                    en: "\(name) has been found in the run \(run), after \(checkpoint).",
                    it: "Nella corsa \(run) si hanno di nuovo notizie di \(name), dopo \(checkpoint).")
            )
        case .trackerLost:
            (
                "tracker",
                Text(
                    en:
                        "The tracker of \(name) in the run \(run) has told no position for 5 minutes. Nobody has called for help.",
                    it:
                        "Il localizzatore di \(name) nella corsa \(run) non dà la posizione da 5 minuti. Nessuno ha chiesto aiuto."
                )
            )
        case .trackerBack:
            (
                "tracker",
                Text(
                    en: "The tracker of \(name) in the run \(run) tells positions again.",
                    it: "Il localizzatore di \(name) nella corsa \(run) dà di nuovo la posizione.")
            )
        case .left: nil
        }
    }
}
