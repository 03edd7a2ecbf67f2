/// Power supply of the box, as the house speaks of it.
public enum BoxPower: CaseIterable, Hashable, Sendable {
    case mainsLost
    /// The battery is nearly empty, and the mains are still gone.
    case batteryLow
    case mainsBack
}
