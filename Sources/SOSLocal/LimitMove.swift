public import GatewayModel

/// Limits of one kind moved to other figures: only of what is judged already, and only within `LimitBounds`. What is
/// switched off stays off, so every promise about times that was checked for a plan holds for it after the move.
public struct LimitMove: Hashable, Sendable {
    public let kind: QuantityKind
    public let limits: [LimitSlot: Double]

    /// Why limits stay where they are.
    public struct Refusal: Error, Hashable, Sendable {
        public let text: String
    }

    public init(_ kind: QuantityKind, _ limits: [LimitSlot: Double]) {
        (self.kind, self.limits) = (kind, limits)
    }

    /// The rules of a plan after the move.
    public func applied(to rules: [LimitRule]) throws(Refusal) -> [LimitRule] {
        let known = Set(rules.filter { $0.kind == kind }.map(\.slot))
        if let slot = limits.keys.first(where: { !known.contains($0) }) {
            throw Refusal(
                text:
                    "\(slot.rawValue) of \(kind.rawValue) is not judged here, and is switched on in the settings only"
            )
        }
        let moved = rules.map { rule in
            guard rule.kind == kind, let limit = limits[rule.slot] else { return rule }
            return rule.at(limit)
        }
        if let slot = limits.first(where: { !$0.value.isFinite })?.key {
            throw Refusal(text: "\(slot.rawValue): expected a number")
        }
        let set = LimitSet(
            Dictionary(moved.filter { $0.kind == kind }.map { ($0.slot, $0.limit) }) { first, _ in first })
        if let problem = LimitBounds.check(set, of: kind) {
            throw Refusal(text: "\(problem.slot.rawValue): \(problem.text)")
        }
        return moved
    }
}

extension LimitRule {
    /// Which of the four limits of its kind it is. A warning waits for longer than any emergency may.
    public var slot: LimitSlot {
        let isWarning = confirmation == RuleDefaults.of(kind)?.warningConfirmation
        switch side {
        case .low: return isWarning ? .warningLow : .low
        case .high: return isWarning ? .warningHigh : .high
        }
    }

    /// The same at another figure.
    func at(_ limit: Double) -> LimitRule {
        LimitRule(
            kind: kind, side: side, limit: limit, confirmation: confirmation, hysteresis: hysteresis,
            priority: priority)
    }
}
