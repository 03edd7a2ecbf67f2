import GatewayModel
import SOSLocal
import SettingsReading

/// `[person.sos.heart_rate]` and its likes, one for each kind of reading that rules judge: declared once, out
/// of `RuleDefaults` and `LimitBounds`.
struct VitalSection: Sendable {
    static let all = RuleDefaults.all.map(VitalSection.init)

    let defaults: RuleDefaults
    /// Of the sides that the kind has.
    let limits: [(slot: LimitSlot, key: Key<Double>)]
    let enabled: Key<Bool>
    let warnings: Key<Bool>
    private let confirmReadings: Key<Int>
    let confirmWithin: Key<Duration>
    let priority: Key<AlarmPriority>
    let section: Section

    init(_ defaults: RuleDefaults) {
        self.defaults = defaults
        limits = LimitSlot.allCases.compactMap { slot in
            LimitBounds.range(of: defaults.kind, slot.side).map {
                (slot, VitalSection.key(slot, $0, defaults))
            }
        }
        enabled = Key(
            "enabled", .truth, VitalSection.switched(defaults.areEmergenciesOn, by: "low or high"),
            "Whether `low` and `high` are judged.")
        warnings = Key(
            "warnings", .truth, VitalSection.switched(defaults.areWarningsOn, by: "one of them"),
            "Whether the warning limits are judged: the carers are told.")
        confirmReadings = Key(
            "confirm_readings", .wholeNumber(1...10),
            .standard(.integer(Int64(defaults.confirmation.readings))),
            "Readings in a row beyond `low` or `high` that confirm it, of what streams; 1 confirms at once. A "
                + "single measurement always does.")
        confirmWithin = Key(
            "confirm_within_seconds", .seconds(0.5...4.0),
            .standard(.float(Double(defaults.confirmation.within.wholeNanoseconds) / 1e9)),
            "After so long without a reading back inside, it is confirmed as well.")
        priority = Key(
            "priority", .choice, .standard("high"),
            "What `low` and `high` ask for: high calls help, medium tells the carers, low is a note in the house."
        )
        section = Section(
            ["person", "sos", VitalSection.name(of: defaults.kind)],
            "The limits on the \(defaults.kind.coding.title.lowercased()), in \(defaults.kind.coding.displayUnit).",
            keys: limits.map(\.key) + [enabled, warnings, confirmReadings, confirmWithin, priority],
            cost: .grave(.person))
    }

    static func name(of kind: QuantityKind) -> String { kind.rawValue.replacing("-", with: "_") }

    private static func key(
        _ slot: LimitSlot, _ range: ClosedRange<Double>, _ defaults: RuleDefaults
    ) -> Key<Double> {
        let beyond = slot.side == .low ? "At or below" : "At or above"
        let asked = slot.isWarning ? "it is a warning" : "it is an emergency"
        let limit = defaults.limits[slot]
        let source = limit.map { " Default: \($0.source)." } ?? ""
        return Key(
            slot.rawValue,
            .number(range, in: defaults.kind.coding.displayUnit, mistakenFor: OtherUnit.all(of: defaults.kind)),
            limit.map { .standard(.float($0.value)) } ?? .optional("no limit"),
            "\(beyond), \(asked).\(source)")
    }

    private static func switched(_ isOn: Bool, by keys: String) -> Presence {
        isOn ? .standard(true) : .optional("`false`, or `true` where \(keys) is written")
    }
}

/// The rules between the keys of one `[person.sos.KIND]`.
extension VitalSection {
    /// One rule for each limit in force; nil where something is wrong.
    func read(_ reader: SectionReader) -> [LimitRule]? {
        let values = limits.map { (slot: $0.slot, key: $0.key, value: reader.value($0.key)) }
        let isSound = values.allSatisfy { $0.value != nil || !reader.isWritten($0.key) }
        let emergencies = isOn(enabled, areWarnings: false, standard: defaults.areEmergenciesOn, reader)
        let warn = isOn(warnings, areWarnings: true, standard: defaults.areWarningsOn, reader)
        let readings = reader.value(confirmReadings)
        let within = reader.value(confirmWithin)
        let priority = reader.value(priority)
        guard isSound, let emergencies, let warn, let readings, let within, let priority else { return nil }
        var inForce = LimitSet()
        for (slot, _, value) in values where slot.isWarning ? warn : emergencies { inForce[slot] = value }
        let areInOrder = checkLimits(reader, inForce)
        let isOfUse = checkPriority(reader, priority, both: emergencies && warn)
        guard areInOrder, isOfUse else { return nil }
        return defaults.rules(
            inForce, confirmation: Confirmation(readings: readings, within: within), priority: priority)
    }

    /// A limit that is written is meant, unless it is switched off beside it, which is a contradiction.
    private func isOn(
        _ key: Key<Bool>, areWarnings: Bool, standard: Bool, _ reader: SectionReader
    ) -> Bool? {
        let written = limits.filter { $0.slot.isWarning == areWarnings && reader.isWritten($0.key) }.map(
            \.key.name)
        guard reader.isWritten(key) else { return standard || !written.isEmpty }
        guard let value = reader.value(key) else { return nil }
        guard !value, let limit = written.first else { return value }
        reader.report("saw false while \(limit) is written, expected one of both: remove one of them", key.name)
        return nil
    }

    private func checkLimits(_ reader: SectionReader, _ limits: LimitSet) -> Bool {
        guard let problem = LimitBounds.check(limits, of: defaults.kind) else { return true }
        let isWritten = self.limits.contains { $0.slot == problem.slot && reader.isWritten($0.key) }
        reader.report(problem.text, (isWritten ? problem.slot : problem.other ?? problem.slot).rawValue)
        return false
    }

    private func checkPriority(_ reader: SectionReader, _ priority: AlarmPriority, both: Bool) -> Bool {
        guard priority < .high, both else { return true }
        reader.report(
            "saw \"\(priority.rawValue)\" while warnings are judged, which ask for \"medium\" already: write "
                + "warnings = false, or priority = \"high\"", self.priority.name)
        return false
    }
}
