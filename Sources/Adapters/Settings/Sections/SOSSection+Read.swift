internal import GatewayModel
internal import SOSLocal

/// The rules between the keys of `[person.sos]` and the sections within.
extension SOSSection {
    /// - Parameters:
    ///   - person: nil where the id is wrong. The promise is checked all the same, on a plan that goes no
    ///     further: without an id the person is nil.
    ///   - known: the channels there are; nil where that is not known.
    static func read(_ reader: SectionReader, person: PersonID?, channels known: [ChannelID]?) -> SOSPlan? {
        let windows = windows(reader)
        let hasEarlyNotice = reader.value(earlyNotice)
        let ways = ways(reader, known)
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

    private static func ways(_ reader: SectionReader, _ known: [ChannelID]?) -> EscalationPlan? {
        let called = list(reader, channels, known, standard: builtInChannels)
        let told = list(reader, carers, known, standard: [])
        let order = reader.value(call)
        let handoverLimit = reader.value(handoverLimit)
        let repeatInterval = reader.value(repeatInterval)
        guard let called, let told, let order, let handoverLimit, let repeatInterval else { return nil }
        return EscalationPlan(
            channels: called, carers: told,
            toldAtOnce: order == .sideBySide ? max(called.count, told.count) : 1, handoverLimit: handoverLimit,
            repeatInterval: repeatInterval)
    }

    private static func list(
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
