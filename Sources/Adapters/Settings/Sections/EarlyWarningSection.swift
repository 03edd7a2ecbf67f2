internal import SOSLocal

/// `[person.sos.early_warning]`: the combined score of several vital signs.
enum EarlyWarningSection {
    static let enabled = Key("enabled", .truth, .standard(false), "Whether the score is judged.")
    // Below 3 a brisk walk warns; 20 is the most there is.
    static let limit = Key(
        "limit", .wholeNumber(3...12), .standard(5),
        "From so many points on; one sign that scores 3 by itself warns as well.")
    static let priority = Key<AlarmPriority>(
        "priority", .choice, .standard("medium"), "What it asks for: medium tells the carers.")
    static let secondScale = Key(
        "second_scale", .truth, .standard(false),
        "Oxygen saturation by scale 2 (88 to 92 % is the aim), on a doctor's word only.")
    static let onOxygen = Key(
        "on_oxygen", .truth, .standard(false), "Whether the person is given oxygen: 2 points.")

    static let section = Section(
        ["person", "sos", "early_warning"],
        "NEWS2 over the newest pulse, oxygen saturation, respiration, systolic pressure and temperature, of adults "
            + "at rest.",
        keys: [enabled, limit, priority, secondScale, onOxygen], cost: .grave(.person))

    /// The rule, or none where it is off; nil where something is wrong.
    static func read(_ reader: SectionReader) -> EarlyWarningRule?? {
        let isOn = reader.value(enabled)
        let limit = reader.value(limit)
        let priority = reader.value(priority)
        let secondScale = reader.value(secondScale)
        let onOxygen = reader.value(onOxygen)
        guard let isOn, let limit, let priority, let secondScale, let onOxygen else { return nil }
        guard isOn else { return .some(nil) }
        return EarlyWarningRule(
            limit: limit, priority: priority, usesSecondScale: secondScale, isOnOxygen: onOxygen)
    }
}
