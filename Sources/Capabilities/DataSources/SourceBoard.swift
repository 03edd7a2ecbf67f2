import GatewayModel
import Hub
import Settings
import Synchronization

/// Counts of each source since the start, for `homegateway status`. From any thread.
final class SourceBoard: Sendable {
    private struct Row {
        var heard: WallTime?
        var taken = 0
        var known = 0
        var refused = 0
        /// Place and reason of the last refusal, while the condition holds.
        var reason: String?
        /// Since the last look.
        var (hasTaken, hasRefused) = (false, false)
    }

    private let rows = Mutex<[DeviceID: Row]>([:])
    private let health: HealthBoard

    init(_ health: HealthBoard) { self.health = health }

    private func change(_ source: DeviceID, _ body: (inout Row) -> Void) {
        rows.withLock { body(&$0[source, default: Row()]) }
    }

    /// - Parameters:
    ///   - taken: number of new readings.
    ///   - known: number of readings that had come before.
    func recordTaken(_ taken: Int, known: Int, of source: DeviceID, at now: WallTime) {
        change(source) { row in
            row.heard = now
            row.taken += taken
            row.known += known
            row.hasTaken = true
        }
    }

    func recordRefusal(_ reason: String, of source: DeviceID, at now: WallTime) {
        change(source) { row in
            row.heard = now
            row.refused += 1
            row.reason = reason
            row.hasRefused = true
        }
    }

    /// Raises the condition of a source that had a refusal since the last look, and clears that of one that had none and
    /// was heard. Once a second: each change is published.
    func report(_ source: DeviceID) {
        var reason: String?
        var holds: Bool?
        change(source) { row in
            if row.hasRefused {
                (holds, reason) = (true, row.reason)
            } else if row.hasTaken {
                (holds, row.reason) = (false, nil)
            }
            (row.hasTaken, row.hasRefused) = (false, false)
        }
        guard let holds else { return }
        let condition = HealthCondition(.sourceRefused, subject: source.text)
        health.set(condition, holds)
        if holds { health.explain(condition, reason) }
    }

    func lines(of sources: [GatewaySettings.Source]) -> [String] {
        let rows = rows.withLock { $0 }
        return sources.map { source in
            let sos = source.countsForSOS ? ", judged" : ""
            guard let row = rows[source.id], let heard = row.heard else {
                return "source \(source.id) of \(source.person)\(sos): nothing has come since the start"
            }
            let known = row.known > 0 ? ", \(row.known) known already" : ""
            let refused = row.refused > 0 ? ", \(row.refused) refused" : ""
            let reason = row.reason.map { " (\($0))" } ?? ""
            return "source \(source.id) of \(source.person)\(sos): last heard \(heard.inHouse), "
                + "\(row.taken) readings taken\(known)\(refused)\(reason)"
        }
    }
}
