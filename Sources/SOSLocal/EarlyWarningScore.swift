public import GatewayModel

/// NEWS2, the National Early Warning Score 2 (Royal College of Physicians, 2017), for adults at rest.
///
/// A parameter that is not known scores nothing, so the score of a few is a lower bound of that of all seven.
public struct EarlyWarningScore: Hashable, Sendable {
    /// What is known of a person now.
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

    /// Of the seven; the level of consciousness is not among what can be known here.
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
