public import GatewayModel

/// The combined score of one person, from the first reading that brings it to its limit to the end of the
/// bout. It warns once a bout.
struct EarlyWarningMonitor: Hashable, Sendable {
    /// Below the limit for as long, a bout is over. Shorter, a pulse that swings about a band would warn with
    /// each swing.
    private static let calm = Duration.seconds(300)

    enum State: Hashable, Codable, Sendable {
        case watching
        /// Since this reading the score has not been below the limit; within a bout that was warned of already
        /// it has risen, or its time is over.
        case reached(Reading, within: Bout?)
        case warned(Bout)
    }

    struct Bout: Hashable, Codable, Sendable {
        /// While the alarm is open the newest score, then that at its end.
        var points: Int
        /// Nil while the alarm is open. From then on the same bout may warn again.
        var rearmed: BootInstant?
        var calmSince: BootInstant?
    }

    let rule: EarlyWarningRule
    private(set) var state = State.watching

    init(_ rule: EarlyWarningRule) {
        self.rule = rule
    }

    /// When `tick` has to be called at the latest.
    var deadline: BootInstant? {
        guard case .reached(let reading, _) = state else { return nil }
        return reading.arrival.boot.advanced(by: rule.confirmation)
    }

    /// - Parameters:
    ///   - score: with `reading` in it.
    mutating func judge(_ score: EarlyWarningScore, completedBy reading: Reading) {
        let isReached = score.warns(from: rule.limit)
        switch state {
        case .watching: if isReached { state = .reached(reading, within: nil) }
        case .reached: if !isReached { fallBack(at: reading.arrival.boot) }
        case .warned(let bout): judge(score, isReached, reading, bout)
        }
    }

    private mutating func judge(
        _ score: EarlyWarningScore, _ isReached: Bool, _ reading: Reading, _ bout: Bout
    ) {
        let now = reading.arrival.boot
        var bout = bout
        let isOver = bout.calmSince.map { $0.duration(to: now) >= Self.calm } ?? false
        // While its alarm is open, a bout does not end: somebody has still to look after it.
        if isOver, bout.rearmed != nil {
            state = isReached ? .reached(reading, within: nil) : .watching
            return
        }
        bout.calmSince = isReached ? nil : bout.calmSince ?? now
        let mayWarnAgain = bout.rearmed.map { now >= $0 || score.points > bout.points } ?? false
        if bout.rearmed == nil { bout.points = score.points }
        state = isReached && mayWarnAgain ? .reached(reading, within: bout) : .warned(bout)
    }

    /// To where it was before it was reached.
    private mutating func fallBack(at now: BootInstant) {
        guard case .reached(_, let bout) = state else { return }
        state = bout.map { .warned(Bout(points: $0.points, rearmed: $0.rearmed, calmSince: now)) } ?? .watching
    }

    /// - Parameter score: as of the deadline, from readings that were still valid then.
    /// - Returns: the warning, once the score has held for long enough.
    mutating func tick(_ score: EarlyWarningScore, at now: BootInstant) -> EarlyWarning? {
        guard case .reached(let reading, _) = state, let deadline, now >= deadline else { return nil }
        guard score.warns(from: rule.limit) else {
            fallBack(at: deadline)
            return nil
        }
        state = .warned(Bout(points: score.points))
        return EarlyWarning(
            points: score.points, parameters: score.parameters, limit: rule.limit, reading: reading)
    }

    /// The person exercises: the last readings say nothing of them at rest.
    mutating func interrupt(at now: BootInstant) {
        fallBack(at: now)
    }

    mutating func alarmEnded(rearmedAt instant: BootInstant) {
        guard case .warned(var bout) = state else { return }
        bout.rearmed = instant
        state = .warned(bout)
    }

    mutating func resume(_ earlier: State) {
        state = earlier
    }
}

/// A combined score of several vital signs that asks for attention, and the reading that completed it.
public struct EarlyWarning: Hashable, Codable, Sendable {
    /// NEWS2 points, of those parameters that are known.
    public let points: Int
    /// How many of the seven parameters are known: the oxygen a person is given is by their plan, how awake
    /// they are is not measured by anything.
    public let parameters: Int
    /// The score that the plan warns from. With fewer points, one parameter alone scores 3.
    public let limit: Int
    /// The reading that completed it.
    public let reading: Reading

    public init(points: Int, parameters: Int, limit: Int, reading: Reading) {
        self.points = points
        self.parameters = parameters
        self.limit = limit
        self.reading = reading
    }
}

/// From which combined score on carers are warned, and with which tables it is counted. One parameter that
/// scores 3 by itself warns as well, as NEWS2 has it.
public struct EarlyWarningRule: Hashable, Sendable {
    /// Points of NEWS2 at or above which it warns.
    public let limit: Int
    public let priority: AlarmPriority
    /// SpO2 scale 2 of NEWS2, for people with hypercapnic respiratory failure, by a doctor's word only.
    public let usesSecondScale: Bool
    public let isOnOxygen: Bool

    /// How long the score has to hold. A minute, as NEWS2 counts a pulse; where help is to be called, the time
    /// that the promise (T2) has room for.
    public var confirmation: Duration { priority == .high ? .seconds(2) : .seconds(60) }

    public init(
        limit: Int = 5, priority: AlarmPriority = .medium, usesSecondScale: Bool = false,
        isOnOxygen: Bool = false
    ) {
        self.limit = limit
        self.priority = priority
        self.usesSecondScale = usesSecondScale
        self.isOnOxygen = isOnOxygen
    }
}

/// NEWS2, the National Early Warning Score 2 (Royal College of Physicians, 2017), for adults at rest.
///
/// A parameter that is not known scores nothing, so the score of a few is a lower bound of that of all seven.
public struct EarlyWarningScore: Hashable, Sendable {
    /// Present knowledge about a person.
    public struct Observations: Hashable, Sendable {
        /// Newest values in the units of their kinds; kinds that NEWS2 does not ask for are not looked at.
        public let values: [QuantityKind: Double]
        public let isOnOxygen: Bool
        /// SpO2 scale 2, for hypercapnic respiratory failure.
        public let usesSecondScale: Bool

        public init(values: [QuantityKind: Double], isOnOxygen: Bool = false, usesSecondScale: Bool = false) {
            self.values = values
            self.isOnOxygen = isOnOxygen
            self.usesSecondScale = usesSecondScale
        }
    }

    /// Of the seven; the level of consciousness cannot be known here.
    public static let kinds: [QuantityKind] = [
        .respirationRate, .oxygenSaturation, .systolicPressure, .heartRate, .bodyTemperature,
    ]

    public let points: Int
    /// How many of the seven parameters are known, air or oxygen among them.
    public let parameters: Int
    /// One parameter alone scores 3.
    public let hasThree: Bool

    public init(_ observations: Observations) {
        let scores = Self.kinds.compactMap { kind in
            observations.values[kind].map { Self.points(for: $0, of: kind, observations) }
        }
        points = scores.reduce(observations.isOnOxygen ? 2 : 0, +)
        parameters = scores.count + 1
        hasThree = scores.contains(3)
    }

    public func warns(from limit: Int) -> Bool { points >= limit || hasThree }

    /// Charted as NEWS2 does: whole numbers, the temperature in tenths.
    private static func points(
        for value: Double, of kind: QuantityKind, _ observations: Observations
    ) -> Int {
        let charted = kind == .bodyTemperature ? (value * 10).rounded() / 10 : value.rounded()
        return bands(of: kind, observations).first { charted <= $0.upTo }?.points ?? 0
    }

    private typealias Bands = [(upTo: Double, points: Int)]

    /// Each band ends with its `upTo`.
    private static func bands(of kind: QuantityKind, _ observations: Observations) -> Bands {
        switch kind {
        case .respirationRate: [(8, 3), (11, 1), (20, 0), (24, 2), (.infinity, 3)]
        case .oxygenSaturation:
            switch (observations.usesSecondScale, observations.isOnOxygen) {
            case (false, _): [(91, 3), (93, 2), (95, 1), (.infinity, 0)]
            case (true, false): [(83, 3), (85, 2), (87, 1), (.infinity, 0)]
            case (true, true): [(83, 3), (85, 2), (87, 1), (92, 0), (94, 1), (96, 2), (.infinity, 3)]
            }
        case .systolicPressure: [(90, 3), (100, 2), (110, 1), (219, 0), (.infinity, 3)]
        case .heartRate: [(40, 3), (50, 1), (90, 0), (110, 1), (130, 2), (.infinity, 3)]
        case .bodyTemperature: [(35, 3), (36, 1), (38, 0), (39, 1), (.infinity, 2)]
        default: []
        }
    }
}
