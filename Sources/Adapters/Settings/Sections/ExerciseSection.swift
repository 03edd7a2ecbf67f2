internal import GatewayModel
internal import SOSLocal

/// `[person.sos.exercise]`: the limits on the pulse while the person exercises.
enum ExerciseSection {
    private static func key(_ slot: LimitSlot, _ meaning: String) -> Key<Double> {
        let range = LimitBounds.range(of: .heartRate, slot.side) ?? 0...0
        let standard = RuleDefaults.exerciseHeartRate[slot] ?? 0
        return Key(slot.rawValue, .number(range), .standard(.float(standard)), meaning)
    }

    static let low = key(.low, "Beats per minute.")
    static let high = key(.high, "Beats per minute. 220 less the age, and 15 more, is a measure: 170 at 65.")

    static let section = Section(
        ["person", "sos", "exercise"],
        "The limits on the pulse from `homegateway exercise` until its end, and in a run of the person's own, instead of those at rest.",
        keys: [low, high], cost: .grave(.person))

    /// - Parameter rest: the rules at rest. Where none judges the pulse, none does in exercise.
    static func read(_ reader: SectionReader, rest: [LimitRule]) -> [LimitRule]? {
        let low = reader.value(low)
        let high = reader.value(high)
        guard let low, let high else { return nil }
        let limits = LimitSet([.low: low, .high: high])
        if let problem = LimitBounds.check(limits, of: .heartRate) {
            reader.report(problem.text, (reader.isWritten(Self.high) ? Self.high : Self.low).name)
            return nil
        }
        guard let like = rest.first(where: { $0.kind == .heartRate }),
            let defaults = RuleDefaults.of(.heartRate)
        else { return [] }
        return defaults.rules(limits, confirmation: like.confirmation, priority: like.priority)
    }
}
