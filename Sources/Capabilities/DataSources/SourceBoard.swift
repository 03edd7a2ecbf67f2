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
        /// Place and reason of the last refusal.
        var reason: String?
    }

    private let rows = Mutex<[DeviceID: Row]>([:])
    private let health: HealthBoard

    init(_ health: HealthBoard) { self.health = health }

    /// - Parameters:
    ///   - taken: number of new readings.
    ///   - known: number of readings that had come before.
    func recordTaken(_ taken: Int, known: Int, of source: DeviceID, at now: WallTime) {
        rows.withLock { rows in
            var row = rows[source] ?? Row()
            row.heard = now
            row.taken += taken
            row.known += known
            row.reason = nil
            rows[source] = row
        }
        health.set(HealthCondition(.sourceRefused, subject: source.text), false)
    }

    func recordRefusal(_ reason: String, of source: DeviceID, at now: WallTime) {
        rows.withLock { rows in
            var row = rows[source] ?? Row()
            row.heard = now
            row.refused += 1
            row.reason = reason
            rows[source] = row
        }
        let condition = HealthCondition(.sourceRefused, subject: source.text)
        health.set(condition, true)
        health.explain(condition, reason)
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
