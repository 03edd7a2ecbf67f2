public import GatewayModel

extension LimitRule {
    /// Whether a value breaks the rule or lies within two times its hysteresis of the limit: the distance that also
    /// counts as clearly worse. A share of the limit itself would not do: 10 % above 91 % holds every oxygen saturation.
    public func isNear(_ value: Double) -> Bool {
        switch side {
        case .low: value <= limit + 2 * hysteresis
        case .high: value >= limit - 2 * hysteresis
        }
    }
}

extension SOSPlan {
    /// Whether a value breaks or nears a limit of the plan, at rest or in exercise.
    public func isNearLimit(_ quantity: Quantity) -> Bool {
        func isNear(_ rule: LimitRule) -> Bool { rule.kind == quantity.kind && rule.isNear(quantity.value) }
        return rules.contains(where: isNear) || exerciseRules.contains(where: isNear)
    }
}
