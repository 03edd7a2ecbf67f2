internal import GatewayModel
internal import SOSLocal
import SettingsReading

/// T2: confirmation, abort window and reserve fit into the time a dispatch has.
struct PromiseCheck {
    /// `[person.sos]`.
    let sos: SectionReader
    /// `[person.sos.KIND]`.
    let vitals: [QuantityKind: SectionReader]

    private struct Culprit {
        let reader: SectionReader
        let key: String
        let timeline: SOSPlan.Timeline
    }

    /// Reports each key that breaks the promise once, with the slowest rule that it breaks it for.
    func check(_ plan: SOSPlan) {
        let broken = plan.timelines.filter { !$0.keepsPromise }.sorted { $0.firstWord > $1.firstWord }
        var told: Set<String> = []
        for culprit in broken.map(culprit) where told.insert(culprit.reader.section.full(culprit.key)).inserted
        {
            culprit.reader.report(PromiseCheck.message(culprit.timeline, culprit.key), culprit.key)
        }
    }

    /// The key that is written and can keep it. Where all is left to the defaults, at the person's line: an
    /// unwritten section lies there.
    private func culprit(of timeline: SOSPlan.Timeline) -> Culprit {
        let own: Key<Duration>? =
            switch timeline.family {
            case .button: SOSSection.buttonWindow
            case .fall: SOSSection.fallWindow
            case .shaking: SOSSection.shakingWindow
            case .vitalSign, .drill: nil
            }
        if let own, sos.isWritten(own) { return Culprit(reader: sos, key: own.name, timeline: timeline) }
        let vital = timeline.rule.flatMap { rule in
            VitalSection.all.first { $0.defaults.kind == rule.kind }.flatMap { section in
                vitals[rule.kind].map { (reader: $0, key: section.confirmWithin) }
            }
        }
        if !sos.isWritten(SOSSection.abortWindow), let vital, vital.reader.isWritten(vital.key) {
            return Culprit(reader: vital.reader, key: vital.key.name, timeline: timeline)
        }
        return Culprit(reader: sos, key: SOSSection.abortWindow.name, timeline: timeline)
    }

    private static func message(_ timeline: SOSPlan.Timeline, _ key: String) -> String {
        let parts = [
            "confirmation \(timeline.confirmation.inSeconds)", "abort window \(timeline.window.inSeconds)",
            "reserve \(Promise.reserve.inSeconds)",
        ]
        let sum = timeline.firstWordWithReserve.inSeconds
        let left = (Promise.dispatchLimit - Promise.reserve).inSeconds
        let isConfirmed = timeline.confirmation > .zero
        let window = key.hasPrefix("confirm") ? SOSSection.abortWindow.name : key
        let remedy =
            isConfirmed && timeline.rule != nil
            ? "shorten \(window) or confirm_within_seconds, together they have \(left)"
            : "shorten \(window) to at most \((Promise.dispatchLimit - Promise.reserve - timeline.confirmation).inSeconds)"
        return "\(timeline.name): \(parts.joined(separator: " + ")) = \(sum), "
            + "limit \(Promise.dispatchLimit.inSeconds): \(remedy), or write early_notice = true"
    }
}
