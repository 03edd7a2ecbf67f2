import GatewayModel

/// Whether somebody has a right to know where the wearer is, and when the wearable is asked next how sure it is of that.
struct PositionWish: Hashable, Sendable {
    var isWanted = false
    /// Nil while positions are not subscribed to, or the wearable does not say how good they are.
    var lookAt: BootInstant?

    /// What a receiver is off by changes as houses and trees come and go; a read takes some tens of milliseconds of
    /// the link.
    static let lookEvery = Duration.seconds(30)
}
