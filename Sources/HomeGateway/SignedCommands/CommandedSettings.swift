import GatewayModel
import Hub
import SOSLocal
import Settings
import Synchronization
import Vault

/// What was set by command instead of what the settings say: it outlives a restart, until another command, or until
/// somebody writes another value into the settings.
final class CommandedSettings: Sendable {
    struct Content: Codable, Hashable, Sendable {
        /// Seconds between two heartbeats.
        var heartbeat: Instead<Int64>?
        /// By person, kind and limit.
        var limits: [String: [String: [String: Instead<Double>]]]?
    }

    /// A value in the place of another.
    struct Instead<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
        let value: Value
        /// What the settings said then.
        let of: Value

        /// - Returns: nil where the settings say something else by now.
        func value(insteadOf written: Value) -> Value? { of == written ? value : nil }
    }

    private let file: StateFile<Content>
    private let content: Mutex<Content>

    /// - Parameter onFailure: what was set by command cannot be read; the settings hold.
    init(stateDirectory: String, marks: StateMarks? = nil, onFailure: (DiskFailure) -> Void) {
        file = StateFile(path: stateDirectory + "/commanded.json", marks: marks)
        var found = Content()
        do throws(DiskFailure) {
            found = try file.load() ?? Content()
        } catch {
            onFailure(error)
        }
        content = Mutex(found)
    }

    /// For whoever only looks: nothing is put aside. Blocking I/O.
    init(peekingAt stateDirectory: String) {
        file = StateFile(path: stateDirectory + "/commanded.json")
        content = Mutex((try? file.peek()) ?? Content())
    }

    func heartbeat(insteadOf written: Duration) -> Duration {
        let seconds = content.withLock { $0.heartbeat?.value(insteadOf: written.components.seconds) }
        return seconds.map { .seconds($0) } ?? written
    }

    /// The limits of the settings with those that were moved; as the settings say where that does not fit any more.
    func rules(of plan: SOSPlan) -> [LimitRule] {
        moves(of: plan).reduce(plan.rules) { rules, move in (try? move.applied(to: rules)) ?? rules }
    }

    /// What was moved and holds.
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

    /// Durable where it does not throw. Blocking I/O; one thread at a time.
    func change(_ body: (inout Content) -> Void) throws(DiskFailure) {
        var next = content.withLock { $0 }
        body(&next)
        try file.save(next)
        content.withLock { $0 = next }
    }
}
