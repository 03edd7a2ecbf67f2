public import GatewayModel

/// What is judged of one kind of reading where the settings say nothing: limits, confirmation, hysteresis.
///
/// Two levels. An *emergency* limit calls help (high). It lies where one value, of a person at rest, is a
/// danger by itself; for what is measured once (cuff, thermometer, meter) that is further out than where a
/// monitor at the bedside alarms, since nobody is there to measure again. A *warning* limit tells the carers
/// (medium) and lies where NEWS2 scores 3, or the guideline named beside it asks for attention.
///
/// Emergency limits are on, but for the diastolic pressure and the respiration rate, which are too uncertain
/// to call an ambulance. Warnings are on, but for the heart rate, which crosses 111 at each walk to the door.
///
/// None of this is a clinical finding; every limit can be set for each person within `LimitBounds`.
public struct RuleDefaults: Hashable, Sendable {
    public struct Limit: Hashable, Sendable {
        /// In the unit of the kind.
        public let value: Double
        /// Where it is from, or that it is a choice and between what.
        public let source: String
    }

    public let kind: QuantityKind
    public let limits: [LimitSlot: Limit]
    public let areEmergenciesOn: Bool
    public let areWarningsOn: Bool
    /// Of emergency limits, for what streams. A single measurement is believed at once.
    public let confirmation: Confirmation
    /// Of warning limits, for what streams: no life hangs on it, so it waits out what passes by itself.
    public let warningConfirmation: Confirmation
    /// How far back inside a reading is before its rule is armed again.
    public let hysteresis: Double

    init(
        _ kind: QuantityKind, _ limits: [LimitSlot: Limit], emergencies: Bool, warnings: Bool,
        confirmation: Confirmation, warning: Duration, hysteresis: Double
    ) {
        self.kind = kind
        self.limits = limits
        areEmergenciesOn = emergencies
        areWarningsOn = warnings
        self.confirmation = confirmation
        warningConfirmation = .lasting(warning)
        self.hysteresis = hysteresis
    }

    /// Nil for a kind that no rule judges.
    public static func of(_ kind: QuantityKind) -> RuleDefaults? { all.first { $0.kind == kind } }

    /// The limits that hold where nothing is said.
    public var limitsInForce: LimitSet {
        LimitSet(limits.filter { $0.key.isWarning ? areWarningsOn : areEmergenciesOn }.mapValues(\.value))
    }

    /// One rule for each limit of `limits`.
    ///
    /// - Parameters:
    ///   - confirmation: of the emergency limits.
    ///   - priority: of the emergency limits; a warning is medium.
    public func rules(
        _ limits: LimitSet, confirmation: Confirmation, priority: AlarmPriority = .high
    ) -> [LimitRule] {
        LimitSlot.allCases.compactMap { slot in
            limits[slot].map {
                LimitRule(
                    kind: kind, side: slot.side, limit: $0,
                    confirmation: slot.isWarning ? warningConfirmation : confirmation, hysteresis: hysteresis,
                    priority: slot.isWarning ? .medium : priority)
            }
        }
    }

    /// What holds for a person of whom nothing is said.
    public static var rules: [LimitRule] {
        all.flatMap { $0.rules($0.limitsInForce, confirmation: $0.confirmation) }
    }
}

extension Confirmation {
    /// Beyond the limit for as long, without a reading back inside.
    public static func lasting(_ duration: Duration) -> Confirmation {
        Confirmation(readings: .max, within: duration)
    }
}
