public import GatewayModel

/// Within what a limit may be moved, by settings, console or command, without the rule losing its sense: it
/// must still be reachable by a reading that counts as plausible, and far from what is normal.
public enum LimitBounds {
    /// What is wrong with a limit, for whoever set it.
    public struct Problem: Error, Hashable, Sendable {
        public let slot: LimitSlot
        /// The other limit that it does not go with; nil where it is wrong by itself.
        public let other: LimitSlot?
        /// What was seen, what was expected, what to do.
        public let text: String
    }

    /// Nil where there is no such side: nobody has too much oxygen saturation.
    public static func range(of kind: QuantityKind, _ side: LimitRule.Side) -> ClosedRange<Double>? {
        switch (kind, side) {
        case (.heartRate, .low): 25...80
        case (.heartRate, .high): 90...220
        case (.oxygenSaturation, .low): 70...95
        case (.systolicPressure, .low): 50...110
        case (.systolicPressure, .high): 140...260
        case (.diastolicPressure, .low): 25...70
        case (.diastolicPressure, .high): 90...180
        case (.bodyTemperature, .low): 30...36
        case (.bodyTemperature, .high): 37.5...43
        case (.glucose, .low): 30...100
        case (.glucose, .high): 140...590
        case (.respirationRate, .low): 4...12
        case (.respirationRate, .high): 18...55
        default: nil
        }
    }

    /// Between the limits of both sides: room for the hysteresis of both, and as much again for what is normal.
    public static func leastDistance(of kind: QuantityKind) -> Double {
        4 * (RuleDefaults.of(kind)?.hysteresis ?? 0)
    }

    /// The first thing that is wrong with the limits that are to hold for `kind`; nil where all is well.
    public static func check(_ limits: LimitSet, of kind: QuantityKind) -> Problem? {
        LimitSlot.allCases.lazy.compactMap { checkRange(limits, $0, kind) }.first
            ?? checkOrder(limits, .warningLow, .low) ?? checkOrder(limits, .warningHigh, .high)
            ?? checkDistance(limits, kind)
    }

    private static func checkRange(_ limits: LimitSet, _ slot: LimitSlot, _ kind: QuantityKind) -> Problem? {
        guard let limit = limits[slot] else { return nil }
        guard let range = range(of: kind, slot.side) else {
            let text = "saw \(limit), expected no \(slot.side) limit on \(kind.rawValue): remove it"
            return Problem(slot: slot, other: nil, text: text)
        }
        guard !range.contains(limit) else { return nil }
        let text =
            "saw \(limit), expected a number, \(range.lowerBound)...\(range.upperBound): "
            + "choose a value in this range"
        return Problem(slot: slot, other: nil, text: text)
    }

    /// A warning that comes with the emergency or after it is none.
    private static func checkOrder(_ limits: LimitSet, _ inner: LimitSlot, _ outer: LimitSlot) -> Problem? {
        guard let warning = limits[inner], let emergency = limits[outer] else { return nil }
        let isLow = inner.side == .low
        guard isLow ? warning <= emergency : warning >= emergency else { return nil }
        let (place, remedy) = isLow ? ("above", "raise") : ("below", "lower")
        let text =
            "saw \(warning) with \(outer.rawValue) = \(emergency), expected the warning \(place) it: "
            + "\(remedy) \(inner.rawValue), or write warnings = false"
        return Problem(slot: inner, other: outer, text: text)
    }

    private static func checkDistance(_ limits: LimitSet, _ kind: QuantityKind) -> Problem? {
        guard let low = limits.innermost(.low), let high = limits.innermost(.high) else { return nil }
        let least = leastDistance(of: kind)
        let distance = high.value - low.value
        guard distance < least else { return nil }
        let (lower, upper) = (low.slot.rawValue, high.slot.rawValue)
        let text =
            "saw \(high.value), \(distance) above \(lower) = \(low.value), expected at least \(least) between: "
            + "lower \(lower) or raise \(upper)"
        return Problem(slot: high.slot, other: low.slot, text: text)
    }
}
