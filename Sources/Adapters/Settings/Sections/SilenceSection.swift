internal import SOSLocal

/// `[person.sos.silence]`: when a worn sensor that says nothing any more is an alarm.
enum SilenceSection {
    static let after = Key(
        "after_seconds", .wholeSeconds(60...86_400), .optional("no alarm"),
        "After so long; 600 outlasts a shower. Not counted after a sensor has said that it was taken off.")
    static let priority = Key<AlarmPriority>(
        "priority", .choice, .standard("low"), "What it asks for: low is a note in the house.")

    static let section = Section(
        ["person", "sos", "silence"],
        "When a worn sensor that says nothing any more is an alarm, besides being a condition of the box.",
        keys: [after, priority], cost: .grave(.person))

    /// The rule, or none where no time is written; nil where something is wrong.
    static func read(_ reader: SectionReader) -> SilenceRule?? {
        let after = reader.value(after)
        guard let priority = reader.value(priority), after != nil || !reader.isWritten(Self.after) else {
            return nil
        }
        return .some(after.map { SilenceRule(limit: $0, priority: priority) })
    }
}
