package import GatewayModel

/// Part of the gateway that receives readings after the SOS rules have them.
package protocol ReadingConsumer: Sendable {
    /// Called on the thread that received the reading; must return at once.
    func consume(_ reading: Reading)
}
