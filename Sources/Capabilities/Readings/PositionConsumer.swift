package import GatewayModel

/// Part of the gateway that receives positions after the SOS rules have them. Each call comes on the thread that received the
/// position, and must return at once.
package protocol PositionConsumer: Sendable {
    /// A fix of the box itself.
    func consume(_ fix: Fix)
    /// A position of a wearable.
    func consume(_ position: WearablePosition)
    /// The receiver that a person wears has no fix.
    func consumeLostFix(of person: PersonID)
}

extension PositionConsumer {
    package func consume(_ position: WearablePosition) {}
    package func consumeLostFix(of person: PersonID) {}
}
