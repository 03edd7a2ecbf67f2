public import GatewayModel

/// Condition of a rule before it believes a reading.
///
/// A crossing is confirmed at the earlier of: the `readings`-th reading in a row beyond the limit
/// (the crossing itself counts as the first), or `within` after the crossing without a reading back
/// inside. So silence after a crossing confirms it: a sensor that dies with its wearer must not
/// cancel the call for help. `within` is therefore the longest that confirmation can take. A single
/// measurement (`Reading.Sampling.spot`) is believed at once.
public struct Confirmation: Hashable, Codable, Sendable {
    /// At least 1; 1 confirms at once.
    public let readings: Int
    public let within: Duration

    public init(readings: Int, within: Duration) {
        self.readings = readings
        self.within = within
    }
}

/// A limit on one kind of reading. A reading at the limit or beyond it breaks the rule.
public struct LimitRule: Hashable, Codable, Sendable {
    public enum Side: String, CaseIterable, Hashable, Codable, Sendable {
        case low, high
    }

    public let kind: QuantityKind
    public let side: Side
    /// In the unit of `kind`.
    public let limit: Double
    public let confirmation: Confirmation
    /// How far back inside a reading must be before the rule is armed again, in the unit of `kind`.
    public let hysteresis: Double
    /// Response that an alarm of this rule asks for.
    public let priority: AlarmPriority

    public init(
        kind: QuantityKind, side: Side, limit: Double, confirmation: Confirmation, hysteresis: Double,
        priority: AlarmPriority = .high
    ) {
        self.kind = kind
        self.side = side
        self.limit = limit
        self.confirmation = confirmation
        self.hysteresis = hysteresis
        self.priority = priority
    }

    /// `heart-rate-high`, `heart-rate-high-warning`: how the contract and the log call the rule.
    public var name: String {
        let limit = "\(kind.rawValue)-\(side.rawValue)"
        return priority == .high ? limit : "\(limit)-warning"
    }

    /// Two levels of one thing: a person that is called for the one need not be told of the other.
    func isSameSide(as other: LimitRule) -> Bool { kind == other.kind && side == other.side }

    public func isBroken(by value: Double) -> Bool {
        switch side {
        case .low: value <= limit
        case .high: value >= limit
        }
    }

    /// Whether `value` lies so much further beyond the limit than `other` that it is news: two times the
    /// hysteresis.
    public func isClearlyWorse(_ value: Double, than other: Double) -> Bool {
        switch side {
        case .low: value <= other - 2 * hysteresis
        case .high: value >= other + 2 * hysteresis
        }
    }

    public func isBackInside(_ value: Double) -> Bool {
        switch side {
        case .low: value >= limit + hysteresis
        case .high: value <= limit - hysteresis
        }
    }
}

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

/// The limits that hold for one kind of reading, in its unit; a missing limit is not judged.
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

/// Range within which a limit may be moved, by settings, console or command, without the rule losing its sense:
/// it must still be reachable by a reading that counts as plausible, and far from the normal range.
public enum LimitBounds {
    /// Fault of a limit, for the person that set it.
    public struct Problem: Error, Hashable, Sendable {
        public let slot: LimitSlot
        /// The other limit that it does not go with; nil where it is wrong by itself.
        public let other: LimitSlot?
        /// The observation, the expectation, the remedy.
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
        default: nil
        }
    }

    /// Between the limits of both sides: room for the hysteresis of both, and as much again for the normal
    /// range.
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

/// Limits of one kind moved to other figures: only of limits that are judged already, and only within
/// `LimitBounds`. A limit that is switched off stays off, so every promise about times that was checked for a
/// plan holds for it after the move.
public struct LimitMove: Hashable, Sendable {
    public let kind: QuantityKind
    public let limits: [LimitSlot: Double]

    /// Why limits stay where they are.
    public struct Refusal: Error, Hashable, Sendable {
        public let text: String
    }

    public init(_ kind: QuantityKind, _ limits: [LimitSlot: Double]) {
        (self.kind, self.limits) = (kind, limits)
    }

    /// The rules of a plan after the move.
    public func applied(to rules: [LimitRule]) throws(Refusal) -> [LimitRule] {
        let known = Set(rules.filter { $0.kind == kind }.map(\.slot))
        if let slot = limits.keys.first(where: { !known.contains($0) }) {
            throw Refusal(
                text:
                    "\(slot.rawValue) of \(kind.rawValue) is not judged here, and is switched on in the settings only"
            )
        }
        let moved = rules.map { rule in
            guard rule.kind == kind, let limit = limits[rule.slot] else { return rule }
            return rule.at(limit)
        }
        if let slot = limits.first(where: { !$0.value.isFinite })?.key {
            throw Refusal(text: "\(slot.rawValue): expected a number")
        }
        let set = LimitSet(
            Dictionary(moved.filter { $0.kind == kind }.map { ($0.slot, $0.limit) }) { first, _ in first }
        )
        if let problem = LimitBounds.check(set, of: kind) {
            throw Refusal(text: "\(problem.slot.rawValue): \(problem.text)")
        }
        return moved
    }
}

extension AlarmLimits {
    public init(_ rules: [LimitRule], of kind: QuantityKind) {
        self.init(kind)
        for rule in rules where rule.kind == kind {
            switch (rule.side, rule.priority == .high) {
            case (.low, true): low = rule.limit
            case (.high, true): high = rule.limit
            case (.low, false): warningLow = rule.limit
            case (.high, false): warningHigh = rule.limit
            }
        }
    }

    /// Limits of each kind that has a rule, by the name of the kind.
    public static func all(of rules: [LimitRule]) -> [AlarmLimits] {
        Set(rules.map(\.kind)).sorted { $0.rawValue < $1.rawValue }.map { AlarmLimits(rules, of: $0) }
    }
}

extension LimitRule {
    /// Which of the four limits of its kind it is. A warning waits for longer than any emergency may.
    public var slot: LimitSlot {
        let isWarning = confirmation == RuleDefaults.of(kind)?.warningConfirmation
        switch side {
        case .low: return isWarning ? .warningLow : .low
        case .high: return isWarning ? .warningHigh : .high
        }
    }

    /// The same at another figure.
    func at(_ limit: Double) -> LimitRule {
        LimitRule(
            kind: kind, side: side, limit: limit, confirmation: confirmation, hysteresis: hysteresis,
            priority: priority)
    }
}
