/// One of the four limits that a kind of reading can have. Raw values are those of the settings.
public enum LimitSlot: String, CaseIterable, Hashable, Codable, Sendable {
    case low, high
    case warningLow = "warning_low"
    case warningHigh = "warning_high"

    public var side: LimitRule.Side {
        switch self {
        case .low, .warningLow: .low
        case .high, .warningHigh: .high
        }
    }

    /// A warning asks for attention (medium), the others for help.
    public var isWarning: Bool { self == .warningLow || self == .warningHigh }
}

/// The limits that hold for one kind of reading, in its unit; what is not there is not judged.
public struct LimitSet: Hashable, Sendable {
    private var values: [LimitSlot: Double]

    public init(_ values: [LimitSlot: Double] = [:]) {
        self.values = values
    }

    public subscript(slot: LimitSlot) -> Double? {
        get { values[slot] }
        set { values[slot] = newValue }
    }

    /// The limit that is reached first on each side, of those there are.
    func innermost(_ side: LimitRule.Side) -> (slot: LimitSlot, value: Double)? {
        let slots: [LimitSlot] = side == .low ? [.warningLow, .low] : [.warningHigh, .high]
        return slots.lazy.compactMap { slot in self[slot].map { (slot, $0) } }.first
    }
}
