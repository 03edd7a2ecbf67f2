package import ControlContract
package import GatewayModel

/// Part of the gateway that follows the state of all its capabilities.
package protocol StateConsumer: Sendable {
    /// Called about once a second on the thread "care"; must return at once.
    ///
    /// - Parameter state: builds the state; a consumer that needs none does not call it.
    func consume(_ state: () -> HouseSnapshot, at now: Moment)
}
