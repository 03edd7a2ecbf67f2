import Consent
import Contract
import GatewayModel
import Hub
import Logging
import OutboxService
import RunBeacon
import Synchronization
import Vault

/// Publishes each correction of race results once, over restarts too. A runner who has left the run is in no message.
///
/// The row of a run is written when its messages are durable. A kill in between sends them again, under the same IDs.
final class CorrectionPublisher: Sendable {
    private struct State {
        var sent: SentCorrections
        var marks = MessageMarks()
    }

    private let state: Mutex<State>
    private let core: GatewayCore

    /// Restores the state of the last run of the program. If it cannot be read, all corrections are sent again. Blocking
    /// I/O.
    init(_ core: GatewayCore) {
        var last: [RunID: SentCorrections.Mark] = [:]
        do throws(DiskFailure) {
            for row in try core.database.rows(of: .sentCorrection) {
                guard let run = RunID(row.key) else { continue }
                last[run] = row.decoded(as: SentCorrections.Mark.self)
            }
        } catch {
            core.log.error("the sent corrections cannot be restored", metadata: ["reason": "\(error)"])
        }
        state = Mutex(State(sent: SentCorrections(last)))
        self.core = core
    }

    /// - Parameter corrections: all corrections, which are durable.
    func publish(_ corrections: [RunID: RaceCorrections], in catalog: RunCatalog) {
        state.withLock { state in
            let before = state.sent.last
            for correction in state.sent.take(from: corrections, of: Set(catalog.runs.keys)) {
                let envelope = Envelope.correction(correction, topics: core.topics)
                if let cleared = try? core.gate.clear(envelope) { core.queue.enqueue(cleared) }
            }
            for run in Set(before.keys).union(state.sent.last.keys).sorted(by: { $0.text < $1.text })
            where before[run] != state.sent.last[run] {
                let row: StateChange =
                    state.sent.last[run].map { .put(.sentCorrection, run.text, $0) }
                    ?? .remove(.sentCorrection, key: run.text)
                state.marks.add(row, after: core.queue)
            }
        }
    }

    /// Writes the rows of the durable messages. Call it also at the end of the gateway.
    func keepMarks() {
        let rows = state.withLock { $0.marks.take(by: core.queue) }
        if !rows.isEmpty { core.writer.put(rows) }
    }
}
