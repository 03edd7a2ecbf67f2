import GatewayModel
import Hub
import Logging
import RealTime
import RunBeacon
import Settings
import Vault

// The runs of this box: read at the start, and again when somebody asks.
extension Gateway {
    static func runs(_ settings: GatewaySettings, _ marks: StateMarks, _ damage: StateDamage) -> RunStore {
        let (health, log) = (damage.health, damage.log)
        let store = RunStore(
            folder: RunFolder(path: settings.race.runsDirectory, course: CourseFiles.reader),
            stateDirectory: settings.gateway.stateDirectory, marks: marks,
            keeping: settings.boxKeptFromCommands,
            of: settings.gateway.id,
            reports: RunStore.Reports(
                damage: { damage.report(.runs, $0) },
                disk: { failure in
                    let isNews = health.set(
                        HealthCondition(.storageUnavailable, subject: "runs"), failure != nil)
                    if isNews, let failure {
                        log.error("the disk does not keep runs", metadata: ["reason": "\(failure)"])
                    }
                },
                files: { errors in
                    health.set(HealthCondition(.runFilesWrong), !errors.isEmpty)
                    for line in errors.flatMap(\.lines) {
                        log.error("a run file is not taken", metadata: ["reason": "\(line)"])
                    }
                }))
        store.onChange { book in
            let isNews = health.set(HealthCondition(.runsDoubtful), !book.warnings.isEmpty)
            guard isNews else { return }
            for warning in book.warnings {
                log.warning("runs are doubtful", metadata: ["reason": "\(warning)"])
            }
        }
        return store
    }

    private var runTable: RunTable {
        RunTable(book: runs.book, gateway: settings.gateway.id, now: Clock.wall())
    }

    /// All runs, or the one that is named; its runners where `kind` says so.
    func showRuns(_ request: ControlRequest, _ reply: @escaping ControlAnswer) {
        guard let name = request.subject else {
            return reply(ControlReply(isDone: true, lines: runTable.lines))
        }
        guard let run = RunID(name).flatMap({ runTable.book.runs[$0] }) else {
            return reply(.refused("there is no run '\(Shown.text(name))': see homegateway runs list"))
        }
        reply(
            ControlReply(
                isDone: true,
                lines: runTable.lines(of: run, listsRunners: request.kind == ControlRequest.runners)))
    }

    /// On a thread of its own, as `reload`: the control thread waits for no disk.
    func reloadRuns(_ reply: @escaping ControlAnswer) {
        do throws(SystemCallError) {
            _ = try NamedThread("reload") { [self] in reply(readRunsAgain()) }
        } catch {
            reply(.refused("the gateway cannot reload now: \(error)"))
        }
    }

    private func readRunsAgain() -> ControlReply {
        switch runs.reload() {
        case .failure(let wrong):
            return ControlReply(
                isDone: false,
                lines: ["the run files are wrong; the gateway goes on as before:"]
                    + wrong.errors.flatMap(\.lines))
        case .success(let warnings):
            log.notice("runs reloaded", metadata: ["runs": "\(runs.book.runs.count)"])
            return ControlReply(isDone: true, lines: warnings.map { "\($0) (warning)" } + runTable.lines)
        }
    }
}

extension GatewaySettings {
    /// This box, where no command may say who carries it; nil where one may.
    var boxKeptFromCommands: GatewayID? { race.carriedByCommand ? nil : gateway.id }
}

extension SettingsError {
    var lines: [String] { description.split(separator: "\n").map(String.init) }
}
