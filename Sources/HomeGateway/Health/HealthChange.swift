import GatewayModel

/// Whether a condition holds, as one of the supervisions sees it now; news or not.
struct HealthChange: Hashable, Sendable {
    let condition: HealthCondition
    let holds: Bool
}
