package import GatewayModel
import Synchronization

/// The conditions that hold now. Each transition is told once, however often it is reported.
package final class HealthBoard: Sendable {
    private let holding = Mutex<Set<HealthCondition>>([])
    /// Of those that hold now, as far as a part has given one.
    private let reasons = Mutex<[HealthCondition: String]>([:])
    /// Held while a change is told, so that two of them are told in the order in which they happened.
    private let telling = Mutex(())
    private let onChange: @Sendable (HealthCondition, _ isRaised: Bool, _ all: [HealthCondition]) -> Void

    /// - Parameter onChange: called on the reporter's thread, after the change; must return at once
    ///   and report nothing itself.
    package init(
        onChange: @escaping @Sendable (HealthCondition, _ isRaised: Bool, _ all: [HealthCondition]) -> Void
    ) {
        self.onChange = onChange
    }

    /// - Returns: whether that is news.
    @discardableResult
    package func set(_ condition: HealthCondition, _ holds: Bool) -> Bool {
        telling.withLock { _ in
            let hasChanged = holding.withLock { holding in
                holds ? holding.insert(condition).inserted : holding.remove(condition) != nil
            }
            if !holds { explain(condition, nil) }
            if hasChanged { onChange(condition, holds, conditions) }
            return hasChanged
        }
    }

    /// The reason of a condition, for `homegateway status`. It stays in the house.
    package func explain(_ condition: HealthCondition, _ reason: String?) {
        reasons.withLock { $0[condition] = reason }
    }

    package func reason(of condition: HealthCondition) -> String? { reasons.withLock { $0[condition] } }

    /// The gravest first, then by name, so that a listing is stable.
    package var conditions: [HealthCondition] {
        holding.withLock { $0 }.sorted { left, right in
            let (leftSeverity, rightSeverity) = (
                left.code.declaration.severity, right.code.declaration.severity
            )
            return leftSeverity != rightSeverity
                ? leftSeverity > rightSeverity
                : (left.code.rawValue, left.subject ?? "") < (right.code.rawValue, right.subject ?? "")
        }
    }
}
