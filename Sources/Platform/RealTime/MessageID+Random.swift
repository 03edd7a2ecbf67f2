public import GatewayModel

extension MessageID {
    /// A new id made at `wall`, with the system's random numbers.
    public static func random(at wall: WallTime) -> MessageID {
        var random = SystemRandomNumberGenerator()
        return MessageID(wall: wall, using: &random)
    }
}
