package import GatewayModel
package import Hub
package import Logging
package import OutboxService
package import SOSLocal
package import Settings
import Synchronization
package import Vault

/// Values that were set by command in the place of those in the settings. They outlive a restart, until another command, or
/// until the value in the settings is changed.
package final class CommandedSettings: Sendable {
    /// A value in the place of another.
    struct Instead<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
        let value: Value
        /// Value of the settings at that time.
        let of: Value

        /// - Returns: nil where the settings have another value by now.
        func value(insteadOf written: Value) -> Value? { of == written ? value : nil }
    }

    /// Limits of one person, by kind and slot.
    typealias Limits = [String: [String: Instead<Double>]]

    /// The values, each a row of `state.sqlite`.
    struct Content: Hashable, Sendable {
        private static let heartbeatKey = "heartbeat"
        private static let limitsKey = "limits "
        private static let intervalsKey = "sample-intervals "

        /// Seconds between two heartbeats.
        var heartbeat: Instead<Int64>?
        /// By person.
        private var limits: [String: Limits] = [:]
        /// Seconds between two readings that are sent, by person and kind.
        private var intervals: [String: [String: Instead<Int64>]] = [:]

        init() {}

        init(_ rows: [StateRow]) {
            for row in rows {
                if row.key == Self.heartbeatKey {
                    heartbeat = row.decoded()
                } else if row.key.hasPrefix(Self.limitsKey) {
                    limits[String(row.key.dropFirst(Self.limitsKey.count))] = row.decoded()
                } else if row.key.hasPrefix(Self.intervalsKey) {
                    intervals[String(row.key.dropFirst(Self.intervalsKey.count))] = row.decoded()
                }
            }
        }

        mutating func keep(_ move: LimitMove, insteadOf written: [LimitRule], of person: PersonID) {
            var kept: [String: Instead<Double>] = [:]
            for rule in written {
                guard let limit = move.limits[rule.slot] else { continue }
                kept[rule.slot.rawValue] = Instead(value: limit, of: rule.limit)
            }
            limits[person.text, default: [:]][move.kind.rawValue] = kept.isEmpty ? nil : kept
        }

        mutating func takeLimits(of person: PersonID, from other: Content) {
            limits[person.text] = other.limits[person.text]
        }

        /// - Parameter seconds: 0 lets the value of the settings hold.
        mutating func keep(
            sampleSeconds seconds: Int64, insteadOf written: Int64, of kind: QuantityKind, _ person: PersonID
        ) {
            intervals[person.text, default: [:]][kind.rawValue] =
                seconds == 0 ? nil : Instead(value: seconds, of: written)
        }

        mutating func takeIntervals(of person: PersonID, from other: Content) {
            intervals[person.text] = other.intervals[person.text]
        }

        /// Returns the commanded seconds between two readings that are sent; nil where the settings hold.
        func sampleSeconds(insteadOf written: Int64, of kind: QuantityKind, _ person: PersonID) -> Int64? {
            let seconds = intervals[person.text]?[kind.rawValue]?.value(insteadOf: written)
            return seconds.flatMap { SamplePacer.seconds.contains($0) ? $0 : nil }
        }

        /// Row of the heartbeat.
        var heartbeatChanges: [StateChange] {
            heartbeat.map { [.put(.commandedSetting, Self.heartbeatKey, $0)] } ?? []
        }

        /// Row of the limits of a person.
        func limitChanges(of person: PersonID) -> [StateChange] {
            [.put(.commandedSetting, Self.limitsKey + person.text, limits[person.text] ?? [:])]
        }

        /// Row of the intervals of a person.
        func intervalChanges(of person: PersonID) -> [StateChange] {
            [.put(.commandedSetting, Self.intervalsKey + person.text, intervals[person.text] ?? [:])]
        }

        /// Moves that hold. A limit that an earlier version kept out of today's range is none.
        func moves(of plan: SOSPlan) -> [LimitMove] {
            let kept = limits[plan.person.text] ?? [:]
            return QuantityKind.allCases.compactMap { kind in
                let limits = plan.rules.filter { $0.kind == kind }.compactMap { rule -> (LimitSlot, Double)? in
                    let kept = kept[kind.rawValue]?[rule.slot.rawValue]
                    let range = LimitBounds.range(of: kind, rule.side)
                    guard let limit = kept?.value(insteadOf: rule.limit), range?.contains(limit) == true else {
                        return nil
                    }
                    return (rule.slot, limit)
                }
                return limits.isEmpty ? nil : LimitMove(kind, Dictionary(limits) { first, _ in first })
            }
        }

        /// Lines for people: `maria: heart-rate high is 140.0 by command, 131.0 in the settings`
        func lines(of plan: SOSPlan) -> [String] {
            moves(of: plan).flatMap { move in
                plan.rules.filter { $0.kind == move.kind }.compactMap { rule in
                    move.limits[rule.slot].map {
                        "\(plan.person): \(move.kind.rawValue) \(rule.slot.rawValue) is \($0) by command, \(rule.limit) in the settings"
                    }
                }
            }
        }
    }

    /// As commands and the settings may name it.
    private static let heartbeatSeconds: ClosedRange<Int64> = 10...86_400

    private let held: Mutex<Content>
    /// Turn of a change of limits.
    package let turn = ChangeTurn()

    /// Restores the values of the last run; where the disk fails, the settings hold. Blocking I/O.
    package init(from database: StateDatabase, _ log: Logger) {
        var rows: [StateRow] = []
        do throws(DiskFailure) {
            rows = try database.rows(of: .commandedSetting)
        } catch {
            log.error("what was set by command cannot be restored", metadata: ["reason": "\(error)"])
        }
        held = Mutex(Content(rows))
    }

    /// Restores the values of this gateway. Blocking I/O.
    package convenience init(_ core: GatewayCore) { self.init(from: core.database, core.log) }

    /// Reads the values beside the gateway, and repairs nothing. Blocking I/O.
    package init(readingFrom stateDirectory: String) {
        let found = try? StateReader(in: stateDirectory).rows(of: .commandedSetting)
        held = Mutex(Content(found?.rows ?? []))
    }

    var content: Content { held.withLock { $0 } }

    /// Lets values hold that are durable.
    func hold(_ change: (inout Content) -> Void) {
        held.withLock { change(&$0) }
    }

    package func heartbeat(insteadOf written: Duration) -> Duration {
        let seconds = content.heartbeat?.value(insteadOf: written.components.seconds)
        return seconds.flatMap { Self.heartbeatSeconds.contains($0) ? .seconds($0) : nil } ?? written
    }

    /// Returns the limits of the settings with the moved ones; a move that no longer fits is left out.
    package func rules(of plan: SOSPlan) -> [LimitRule] {
        content.moves(of: plan).reduce(plan.rules) { rules, move in (try? move.applied(to: rules)) ?? rules }
    }

    package func lines(of plan: SOSPlan) -> [String] { content.lines(of: plan) }

    /// Returns the shortest time between two readings of a kind that are sent; zero where every reading is.
    package func sampleInterval(of kind: QuantityKind, _ person: GatewaySettings.Person) -> Duration {
        let written = person.sampleIntervals[kind] ?? .zero
        let seconds = content.sampleSeconds(insteadOf: written.components.seconds, of: kind, person.id)
        return seconds.map { .seconds($0) } ?? written
    }

    /// Lines for people: `maria: heart-rate is sent every 10 s by command, every reading in the settings`
    package func intervalLines(of person: GatewaySettings.Person) -> [String] {
        let content = content
        return QuantityKind.allCases.compactMap { kind in
            let written = person.sampleIntervals[kind]?.components.seconds ?? 0
            let start = "\(person.id): \(kind.rawValue) is sent"
            if let seconds = content.sampleSeconds(insteadOf: written, of: kind, person.id) {
                return "\(start) every \(seconds) s by command, "
                    + (written == 0 ? "every reading in the settings" : "every \(written) s in the settings")
            }
            return written == 0 ? nil : "\(start) every \(written) s"
        }
    }
}
