public import GatewayModel

/// What a rule asks before it believes a reading.
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
    /// What an alarm of this rule asks for.
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

    /// Two levels of one thing: who is called for the one need not be told of the other.
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
