import Hub

/// Whether a battery is nearly empty. Coin cells recover a little at rest: the condition ends only well above
/// where it began.
struct BatteryWatch: Hashable, Sendable {
    /// Percent. A strap's coin cell lasts weeks from here, a watch some hours: time to be told either way.
    static let low = 15
    /// Percent.
    static let recovered = 20

    var isLow = false

    mutating func note(percent: Int) {
        if percent <= Self.low { isLow = true }
        if percent >= Self.recovered { isLow = false }
    }
}
