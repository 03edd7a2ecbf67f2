import GatewayModel
import SOSLocal
import SettingsReading

/// `[person.sos]`: how an alarm of this person runs.
enum SOSSection {
    // T2 leaves 4.5 s without any confirmation; more takes an early notice (T3), which the check asks for.
    private static let window = Form<Duration>.seconds(0.5...60)

    static let abortWindow = Key(
        "abort_window_seconds", window, .standard(2.5),
        "From the alarm until help is called: the time to cancel. Where neither it nor `early_notice` is written, it is "
            + "30 after a vital sign where a pulse alone is judged.")
    static let buttonWindow = Key(
        "button_window_seconds", window, .optional("`abort_window_seconds`"), "The same after an SOS button.")
    static let fallWindow = Key(
        "fall_window_seconds", window, .optional("`abort_window_seconds`"), "The same after a fall.")
    static let shakingWindow = Key(
        "shaking_window_seconds", window, .optional("`abort_window_seconds`"), "The same after shaking.")
    static let warningWindow = Key(
        "warning_window_seconds", .seconds(0.5...600), .standard(30),
        "From a warning until the carers are told.")
    static let earlyNotice = Key(
        "early_notice", .truth, .standard(false),
        "Whether help is told 4.5 s after the crossing that it may be needed, so that a window may be longer. Where neither "
            + "it nor `abort_window_seconds` is written, it is true where a pulse alone is judged.")

    static let call = Key<CallOrder>(
        "call", .choice, .standard("in-order"),
        "Whether the channels are told one after the other, or all at once.")
    static let channels = Key(
        "channels", .channels(least: 1), .optional("`[\"mqtt\"]`"),
        "Who is called in an emergency, in this order.")
    static let carers = Key(
        "carers", .channels(least: 0), .optional("nobody"), "Who is told of a warning, in this order.")
    static let handoverLimit = Key(
        "handover_seconds", .wholeSeconds(1...60), .standard(2),
        "A call that no machine at the other end has acknowledged by then goes to the next channel too; in an emergency no later than 4.75 s after the crossing."
    )
    static let repeatInterval = Key(
        "repeat_seconds", .wholeSeconds(10...300), .standard(30),
        "Help is called again this often until someone accepts.")
    static let rearmInterval = Key(
        "rearm_seconds", .wholeSeconds(60...3600), .standard(300),
        "After an alarm was ended while the value stayed beyond its limit: how long until the next.")
    static let mayEnd = Key<Set<PersonAct.Means>>(
        "may_end", .choices(among: PersonAct.Means.allCases.filter(SOSPlan.everyMeans.contains)),
        .optional("all of them"), "By what an alarm can be cancelled or resolved.")

    static let section = Section(
        ["person", "sos"], "How an alarm of this person runs.",
        keys: [
            abortWindow, buttonWindow, fallWindow, shakingWindow, warningWindow, earlyNotice, call, channels,
            carers, handoverLimit, repeatInterval, rearmInterval, mayEnd,
        ],
        outdated: [
            VitalSection.name(of: .respirationRate):
                "these limits have no effect: no wearable that the gateway reads sends a respiration rate; remove the section"
        ],
        children: VitalSection.all.map(\.section)
            + [ExerciseSection.section, EarlyWarningSection.section, SilenceSection.section],
        cost: .grave(.person))

    enum CallOrder: String, CaseIterable, Sendable {
        case inOrder = "in-order"
        case sideBySide = "side-by-side"
    }

    /// The way out of the house that needs no section of its own.
    static let builtInChannels = [ChannelID.mqtt]
}

/// The rules between the keys of `[person.sos]` and the sections within.
extension SOSSection {
    /// - Parameters:
    ///   - person: nil where the id is wrong. The promise is checked all the same, on a plan that goes no
    ///     further: without an id the person is nil.
    ///   - known: the channels there are; nil where that is not known.
    ///   - own: number of channels that the person may add.
    static func read(
        _ reader: SectionReader, person: PersonID?, channels known: [ChannelID]?, own: Int
    ) -> SOSPlan? {
        let windows = windows(reader)
        let hasEarlyNotice = reader.value(earlyNotice)
        let ways = ways(reader, known, own)
        let rearmInterval = reader.value(rearmInterval)
        let means = means(reader)
        let vitals = VitalSection.all.map { (section: $0, reader: reader.child($0.section)) }
        let rules = vitals.map { $0.section.read($0.reader) }
        let atRest = rules.compactMap(\.self).flatMap(\.self)
        let exercise = ExerciseSection.read(reader.child(ExerciseSection.section), rest: atRest)
        let earlyWarning = EarlyWarningSection.read(reader.child(EarlyWarningSection.section))
        let silence = SilenceSection.read(reader.child(SilenceSection.section))
        guard let windows, let hasEarlyNotice, let ways, let rearmInterval, let means, let exercise,
            let earlyWarning, let silence, rules.allSatisfy({ $0 != nil })
        else { return nil }
        let plan = SOSPlan(
            person: person ?? .missing, rules: atRest, exerciseRules: exercise, windows: windows,
            hasEarlyNotice: hasEarlyNotice, ways: ways, earlyWarning: earlyWarning, silence: silence,
            rearmInterval: rearmInterval, mayEnd: means)
        // The mistake may be the key that keeps the promise.
        guard !reader.hasMistakes else { return plan }
        let readers = vitals.map { (kind: $0.section.defaults.kind, reader: $0.reader) }
        PromiseCheck(
            sos: reader, vitals: Dictionary(readers.map { ($0.kind, $0.reader) }) { first, _ in first }
        )
        .check(plan)
        return plan
    }

    private static func windows(_ reader: SectionReader) -> AbortWindows? {
        let vitalSign = reader.value(abortWindow)
        let warning = reader.value(warningWindow)
        let others = [buttonWindow, fallWindow, shakingWindow].map { (key: $0, value: reader.value($0)) }
        guard let vitalSign, let warning, others.allSatisfy({ $0.value != nil || !reader.isWritten($0.key) })
        else { return nil }
        return AbortWindows(
            vitalSign: vitalSign, button: others[0].value, fall: others[1].value, shaking: others[2].value,
            warning: warning)
    }

    private static func ways(
        _ reader: SectionReader, _ known: [ChannelID]?, _ own: Int
    ) -> EscalationPlan? {
        let called = list(reader, channels, known, standard: builtInChannels)
        let told = list(reader, carers, known, standard: [])
        let order = reader.value(call)
        let handoverLimit = reader.value(handoverLimit)
        let repeatInterval = reader.value(repeatInterval)
        guard let called, let told, let order, let handoverLimit, let repeatInterval else { return nil }
        return EscalationPlan(
            channels: called, carers: told,
            toldAtOnce: order == .sideBySide ? max(called.count, told.count) + own : 1,
            handoverLimit: handoverLimit,
            repeatInterval: repeatInterval)
    }

    static func list(
        _ reader: SectionReader, _ key: Key<[ChannelID]>, _ known: [ChannelID]?, standard: [ChannelID]
    ) -> [ChannelID]? {
        guard reader.isWritten(key) else { return standard }
        guard let written = reader.value(key) else { return nil }
        guard let known, let stranger = written.first(where: { !known.contains($0) }) else { return written }
        let names = known.map(\.text)
        let quoted = names.map { "\"\($0)\"" }.joined(separator: ", ")
        reader.report(
            "saw \"\(stranger)\", expected the id of a channel, here \(quoted)\(NearestName.hint(stranger.text, among: names)): "
                + "correct or remove it", key.name)
        return nil
    }

    /// An alarm that nobody can end would repeat for good.
    private static func means(_ reader: SectionReader) -> Set<PersonAct.Means>? {
        guard reader.isWritten(mayEnd) else { return SOSPlan.everyMeans }
        guard let means = reader.value(mayEnd) else { return nil }
        guard means.isEmpty else { return means }
        reader.report("saw an empty list, with which no alarm could be ended: write at least one", mayEnd.name)
        return nil
    }
}

/// `[person.sos.early_warning]`: the combined score of several vital signs.
enum EarlyWarningSection {
    /// The defaults of the rule itself.
    private static let standard = EarlyWarningRule()

    static let enabled = Key("enabled", .truth, .standard(false), "Whether the score is judged.")
    // Below 3 a brisk walk warns; 20 is the most there is.
    static let limit = Key(
        "limit", .wholeNumber(3...12), .standard(.integer(Int64(standard.limit))),
        "From so many points on; one sign that scores 3 by itself warns as well.")
    static let priority = Key<AlarmPriority>(
        "priority", .choice, .standard(.string(standard.priority.rawValue)),
        "What it asks for: medium tells the carers.")
    static let secondScale = Key(
        "second_scale", .truth, .standard(.boolean(standard.usesSecondScale)),
        "Oxygen saturation by scale 2 (88 to 92 % is the aim), on a doctor's word only.")
    static let onOxygen = Key(
        "on_oxygen", .truth, .standard(.boolean(standard.isOnOxygen)),
        "Whether the person is given oxygen: 2 points.")

    static let section = Section(
        ["person", "sos", "early_warning"],
        "NEWS2 over the newest pulse, oxygen saturation, systolic pressure and temperature, of adults at rest.",
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

/// `[person.sos.exercise]`: the limits on the pulse while the person exercises.
enum ExerciseSection {
    private static func key(_ slot: LimitSlot, _ meaning: String) -> Key<Double> {
        let range = LimitBounds.range(of: .heartRate, slot.side) ?? 0...0
        let standard = RuleDefaults.exerciseHeartRate[slot] ?? 0
        return Key(slot.rawValue, .number(range), .standard(.float(standard)), meaning)
    }

    static let low = key(.low, "Beats per minute.")
    static let high = key(
        .high, "Beats per minute. 220 less the age, and 15 more, is a measure: 170 at 65.")

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
