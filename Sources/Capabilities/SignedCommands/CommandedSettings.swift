import GatewayModel
import Hub
package import OutboxService
package import SOSLocal
import Settings
import Synchronization
package import Vault

/// Values that were set by command in the place of those in the settings. They outlive a restart, until another command, or
/// until the value in the settings is changed.
package final class CommandedSettings: Sendable {
    struct Content: Codable, Hashable, Sendable {
        /// Seconds between two heartbeats.
        var heartbeat: Instead<Int64>?
        /// Limits by person, kind and slot.
        var limits: [String: [String: [String: Instead<Double>]]]?

        mutating func keep(_ move: LimitMove, insteadOf written: [LimitRule], of person: PersonID) {
            var kept: [String: CommandedSettings.Instead<Double>] = [:]
            for rule in written {
                guard let limit = move.limits[rule.slot] else { continue }
                kept[rule.slot.rawValue] = CommandedSettings.Instead(value: limit, of: rule.limit)
            }
            limits = limits ?? [:]
            limits?[person.text, default: [:]][move.kind.rawValue] = kept.isEmpty ? nil : kept
        }
    }

    /// A value in the place of another.
    struct Instead<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
        let value: Value
        /// Value of the settings at that time.
        let of: Value

        /// - Returns: nil where the settings have another value by now.
        func value(insteadOf written: Value) -> Value? { of == written ? value : nil }
    }

    private let file: StateFile<Content>
    private let content: Mutex<Content>

    /// - Parameter onFailure: called where the file cannot be read; the settings hold then.
    package init(stateDirectory: String, marks: StateMarks? = nil, onFailure: (DiskFailure) -> Void) {
        file = StateFile(path: stateDirectory + "/commanded.json", marks: marks)
        var found = Content()
        do throws(DiskFailure) {
            found = try file.load() ?? Content()
        } catch {
            onFailure(error)
        }
        content = Mutex(found)
    }

    /// Reads the values of this gateway; damage of the file is reported. Blocking I/O.
    package convenience init(_ core: GatewayCore) {
        self.init(stateDirectory: core.stateDirectory, marks: core.marks) {
            core.damage.report(.commanded, $0)
        }
    }

    /// Reads the file without setting a damaged one aside. Blocking I/O.
    package init(peekingAt stateDirectory: String) {
        file = StateFile(path: stateDirectory + "/commanded.json")
        content = Mutex((try? file.peek()) ?? Content())
    }

    package func heartbeat(insteadOf written: Duration) -> Duration {
        let seconds = content.withLock { $0.heartbeat?.value(insteadOf: written.components.seconds) }
        return seconds.map { .seconds($0) } ?? written
    }

    /// Returns the limits of the settings with the moved ones; a move that no longer fits is left out.
    package func rules(of plan: SOSPlan) -> [LimitRule] {
        moves(of: plan).reduce(plan.rules) { rules, move in (try? move.applied(to: rules)) ?? rules }
    }

    /// Moves that hold.
    func moves(of plan: SOSPlan) -> [LimitMove] {
        let kept = content.withLock { $0.limits?[plan.person.text] } ?? [:]
        return QuantityKind.allCases.compactMap { kind in
            let limits = plan.rules.filter { $0.kind == kind }.compactMap { rule -> (LimitSlot, Double)? in
                let kept = kept[kind.rawValue]?[rule.slot.rawValue]
                return kept?.value(insteadOf: rule.limit).map { (rule.slot, $0) }
            }
            return limits.isEmpty ? nil : LimitMove(kind, Dictionary(limits) { first, _ in first })
        }
    }

    /// Changes the values; durable where it does not throw. Blocking I/O; one thread at a time.
    func change(_ body: (inout Content) -> Void) throws(DiskFailure) {
        var next = content.withLock { $0 }
        body(&next)
        try file.save(next)
        content.withLock { $0 = next }
    }

    /// Lines for people: `maria: heart-rate high is 140.0 by command, 131.0 in the settings`
    package func lines(of plan: SOSPlan) -> [String] {
        moves(of: plan).flatMap { move in
            plan.rules.filter { $0.kind == move.kind }.compactMap { rule in
                move.limits[rule.slot].map {
                    "\(plan.person): \(move.kind.rawValue) \(rule.slot.rawValue) is \($0) by command, \(rule.limit) in the settings"
                }
            }
        }
    }
}
