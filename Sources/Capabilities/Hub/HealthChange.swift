package import GatewayModel

/// Whether a condition holds, as one of the supervisions sees it now; news or not.
package struct HealthChange: Hashable, Sendable {
    package let condition: HealthCondition
    package let holds: Bool

    package init(condition: HealthCondition, holds: Bool) {
        self.condition = condition
        self.holds = holds
    }
}
