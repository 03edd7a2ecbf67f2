internal import GatewayModel
internal import SOSLocal

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
