public import GatewayModel

/// Default rules for one kind of reading: limits, confirmation, hysteresis.
///
/// Two levels. An *emergency* limit calls help (high). It lies where one value, of a person at rest, is a
/// danger by itself; for a single measurement (cuff, thermometer, meter) that is further out than where a
/// monitor at the bedside alarms, since nobody is there to measure again. A *warning* limit tells the carers
/// (medium) and lies where NEWS2 scores 3, or the guideline named beside it asks for attention.
///
/// Emergency limits are on, but for the diastolic pressure, which is too uncertain to call an ambulance. No wearable that
/// is decoded sends a respiration rate, so no rule judges it. Warnings are on, but for the heart rate, which crosses 111 at each walk to the door.
///
/// None of this is a clinical finding; every limit can be set for each person within `LimitBounds`.
public struct RuleDefaults: Hashable, Sendable {
    public struct Limit: Hashable, Sendable {
        /// In the unit of the kind.
        public let value: Double
        /// Its source, or the range of the choice.
        public let source: String
    }

    public let kind: QuantityKind
    public let limits: [LimitSlot: Limit]
    public let areEmergenciesOn: Bool
    public let areWarningsOn: Bool
    /// Of emergency limits, for streams. A single measurement is believed at once.
    public let confirmation: Confirmation
    /// Of warning limits, for streams: no life depends on it, so it waits out a crossing that passes by itself.
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

    /// Rules for a person without settings.
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

/// The table. NEWS2: Royal College of Physicians, 2017. ADA: Standards of Care, section 6. AHA: blood pressure
/// categories. LIFEPAK 15, Mindray and Contec: alarm defaults in the operator's manuals. NHS: COVID oximetry
/// at home.
extension RuleDefaults {
    public static let all = [
        heartRate, oxygenSaturation, systolicPressure, diastolicPressure, bodyTemperature, glucose,
    ]

    /// 3 readings at 1 Hz, which T2 has room for beside a window of 2.5 s.
    private static let threeReadings = Confirmation(readings: 3, within: .seconds(2))
    /// A result, not a moment of a stream.
    private static let oneReading = Confirmation(readings: 1, within: .seconds(2))

    private static let heartRate = RuleDefaults(
        .heartRate,
        [
            .low: Limit(40, "NEWS2 scores 3"), .high: Limit(131, "NEWS2 scores 3"),
            .warningLow: Limit(50, "Contec, Mindray"), .warningHigh: Limit(111, "NEWS2 scores 2"),
        ],
        emergencies: true, warnings: false, confirmation: threeReadings, warning: .seconds(120),
        hysteresis: 5)

    /// NEWS2 scores 3 from 91 on, which people with a lung disease live with, and cold fingers feign.
    private static let oxygenSaturation = RuleDefaults(
        .oxygenSaturation,
        [.low: Limit(85, "LIFEPAK 15"), .warningLow: Limit(91, "NEWS2 scores 3; NHS: call from 92 on")],
        emergencies: true, warnings: true, confirmation: threeReadings, warning: .seconds(60), hysteresis: 2)

    /// One reading above 180 is frequent; without symptoms it is measured again (AHA).
    private static let systolicPressure = RuleDefaults(
        .systolicPressure,
        [
            .low: Limit(70, "a choice between NEWS2 (90) and LIFEPAK 15 (50)"),
            .high: Limit(220, "NEWS2 scores 3"), .warningLow: Limit(90, "NEWS2 scores 3"),
            .warningHigh: Limit(180, "AHA crisis"),
        ],
        emergencies: true, warnings: true, confirmation: oneReading, warning: .zero, hysteresis: 5)

    /// It adds little to the systolic pressure, and a cuff that slips errs here first: no help is called.
    private static let diastolicPressure = RuleDefaults(
        .diastolicPressure, [.high: Limit(150, "LIFEPAK 15"), .warningHigh: Limit(120, "AHA crisis")],
        emergencies: false, warnings: true, confirmation: oneReading, warning: .zero, hysteresis: 5)

    /// 35.0 is as often a thermometer that lay badly as a body that is cold.
    private static let bodyTemperature = RuleDefaults(
        .bodyTemperature,
        [
            .low: Limit(32, "moderate hypothermia begins"), .high: Limit(41, "hyperpyrexia begins"),
            .warningLow: Limit(35, "NEWS2 scores 3"), .warningHigh: Limit(39.1, "NEWS2 scores 2"),
        ],
        emergencies: true, warnings: true, confirmation: oneReading, warning: .seconds(300), hysteresis: 0.3)

    /// A person at 50 can still eat sugar, with somebody beside them.
    private static let glucose = RuleDefaults(
        .glucose,
        [
            .low: Limit(40, "a choice below ADA level 2 (54)"),
            .high: Limit(500, "a choice below where meters end (600)"),
            .warningLow: Limit(53, "ADA level 2, below 54"),
            .warningHigh: Limit(300, "a choice above ADA level 2 (250)"),
        ],
        emergencies: true, warnings: true, confirmation: oneReading, warning: .seconds(900), hysteresis: 10)

    /// While a person exercises. By 220 less the age and 15 more, 170 is that of 65 years; the low limit stays.
    public static let exerciseHeartRate = LimitSet([.low: 40, .high: 170])
}

extension RuleDefaults.Limit {
    fileprivate init(_ value: Double, _ source: String) {
        self.init(value: value, source: source)
    }
}
