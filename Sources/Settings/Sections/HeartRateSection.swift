internal import GatewayModel
internal import SOSLocal

/// `[person.sos.heart_rate]`: the limits on the pulse.
enum HeartRateSection {
    static let low = Key(
        "low", .number(25...80), .standard(40.0),
        "Beats per minute; at or below is an emergency. At least 20 below `high`.")
    static let high = Key(
        "high", .number(90...220), .standard(131.0),
        "Beats per minute; at or above is an emergency.")
    static let confirmReadings = Key(
        "confirm_readings", .wholeNumber(1...10), .standard(3),
        "Readings in a row beyond the limit that confirm it; 1 confirms at once.")
    static let confirmWithin = Key(
        "confirm_within_seconds", .seconds(0.5...4.0), .standard(2.0),
        "After so long without a reading back inside, it is confirmed as well.")

    static let section = Section(
        ["person", "sos", "heart_rate"], "The limits on the pulse.",
        keys: [low, high, confirmReadings, confirmWithin])

    /// Room for a resting pulse between the limits and their hysteresis of 5 on both sides.
    static let leastDistance = 20.0

    /// The rules for both sides.
    static func read(_ reader: SectionReader) -> [LimitRule]? {
        let low = reader.value(low)
        let high = reader.value(high)
        let readings = reader.value(confirmReadings)
        let within = reader.value(confirmWithin)
        if let low, let high { checkDistance(reader, low, high) }
        guard let low, let high, let readings, let within else { return nil }
        let confirmation = Confirmation(readings: readings, within: within)
        return [rule(.low, low, confirmation), rule(.high, high, confirmation)]
    }

    private static func checkDistance(_ reader: SectionReader, _ low: Double, _ high: Double) {
        guard high - low < leastDistance else { return }
        reader.report(
            "saw \(high), \(high - low) above low = \(low), expected at least \(leastDistance) between: "
                + "lower low or raise high",
            reader.isWritten(Self.high) ? Self.high.name : Self.low.name)
    }

    private static func rule(
        _ side: LimitRule.Side, _ limit: Double, _ confirmation: Confirmation
    ) -> LimitRule {
        LimitRule(
            kind: .heartRate, side: side, limit: limit, confirmation: confirmation,
            hysteresis: 5)
    }
}
