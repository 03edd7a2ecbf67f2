package import GatewayModel
package import Logging
import RealTime
import Synchronization

/// The conditions that hold now. Each transition is told once, however often it is reported.
package final class HealthBoard: Sendable {
    /// With the time at which each began.
    private let holding = Mutex<[HealthCondition: WallTime]>([:])
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

    /// Logs each change and tells the watchers of it.
    ///
    /// - Parameter publish: called with all conditions after each change; must return at once and report nothing itself.
    package convenience init(
        log: Logger, feed: Feed, publish: @escaping @Sendable ([HealthCondition]) -> Void
    ) {
        self.init { condition, isRaised, all in
            Self.record(condition, isRaised, in: log)
            feed.record(.health(condition, isRaised: isRaised, at: Clock.moment()))
            publish(all)
        }
    }

    private static func record(_ condition: HealthCondition, _ isRaised: Bool, in log: Logger) {
        let declaration = condition.code.declaration
        var metadata: Logger.Metadata = ["code": "\(condition.code.rawValue)"]
        if let subject = condition.subject { metadata["subject"] = "\(subject)" }
        guard isRaised else {
            log.notice("condition cleared", metadata: metadata)
            return
        }
        metadata["title"] = "\(declaration.title.en)"
        metadata["remedy"] = "\(declaration.remedy)"
        log.log(
            level: declaration.severity == .notice ? .notice : .warning, "condition raised", metadata: metadata)
    }

    /// - Returns: whether that is news.
    @discardableResult
    package func set(_ condition: HealthCondition, _ holds: Bool) -> Bool {
        telling.withLock { _ in
            let hasChanged = holding.withLock { holding in
                guard holds else { return holding.removeValue(forKey: condition) != nil }
                guard holding[condition] == nil else { return false }
                holding[condition] = Clock.wall()
                return true
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

    /// Time at which a condition that holds began.
    package func since(_ condition: HealthCondition) -> WallTime? { holding.withLock { $0[condition] } }

    /// Whether the clock of the box can be right.
    package var isClockSet: Bool { holding.withLock { $0[HealthCondition(.clockNotSet)] == nil } }

    /// The gravest first, then by name, so that a listing is stable.
    package var conditions: [HealthCondition] {
        holding.withLock { Array($0.keys) }.sorted { left, right in
            let (leftSeverity, rightSeverity) = (
                left.code.declaration.severity, right.code.declaration.severity
            )
            return leftSeverity != rightSeverity
                ? leftSeverity > rightSeverity
                : (left.code.rawValue, left.subject ?? "") < (right.code.rawValue, right.subject ?? "")
        }
    }
}
