import Contract
import GatewayModel
import SOSLocal

/// The time line of an alarm as a list.
struct AlarmSteps {
    private typealias Step = AlarmRecord.Step

    private let alarm: Alarm

    init(_ alarm: Alarm) {
        self.alarm = alarm
    }

    var inOrder: [AlarmRecord.Step] {
        let timeline = alarm.timeline
        let steps: [(BootInstant, Step)] =
            [
                step(.crossing, timeline.crossing, nil, asker), step(.confirmed, timeline.confirmation),
                timeline.annunciated.map { step(.sounded, $0) },
                alarm.hurried.map { step(.hurried, $0.at, nil, $0.by) },
                alarm.saidAllRight.map { step(.saidAllRight, $0.at, nil, $0.by) },
            ].compactMap(\.self)
            + each(timeline.dispatched) { step(.called, $0, $1) }
            + each(timeline.handedOver) { step(.handedOver, $0, $1) }
            + each(timeline.failed) { step(.failed, $1.at, $0, $1.reason) }
            + (alarm.ending.map { [ending($0)] } ?? [])
        // Of one instant in the order above.
        return steps.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
            .map(\.element.1)
    }

    private func each<Value>(
        _ values: [ChannelID: Value], _ body: (ChannelID, Value) -> (BootInstant, Step)
    ) -> [(BootInstant, Step)] {
        values.sorted { $0.key.text < $1.key.text }.map { body($0.key, $0.value) }
    }

    private func ending(_ ending: AlarmEnding) -> (BootInstant, Step) {
        switch ending {
        case .accepted(let act, let channel, let at): step(.accepted, at, channel, act)
        case .aborted(let act, let at, _): step(.aborted, at, nil, act)
        case .resolved(let act, let at): step(.resolved, at, nil, act)
        case .lapsed(let at): step(.lapsed, at)
        }
    }

    /// Name of the person who asked for help on a page.
    private var asker: String? {
        if case .signal(let signal) = alarm.cause { signal.by } else { nil }
    }

    private func step(
        _ what: Step.What, _ at: BootInstant, _ channel: ChannelID?, _ act: PersonAct
    ) -> (BootInstant, Step) {
        var (instant, step) = step(what, at, channel, act.by)
        step.means = act.means.rawValue
        return (instant, step)
    }

    private func step(_ what: Step.What, _ channel: ChannelID, _ at: BootInstant, _ text: String? = nil)
        -> (BootInstant, Step)
    {
        step(what, at, channel, text)
    }

    private func step(
        _ what: Step.What, _ at: BootInstant, _ channel: ChannelID? = nil, _ text: String? = nil
    ) -> (BootInstant, Step) {
        let after = alarm.timeline.sinceCrossing(at)
        return (
            at,
            Step(
                what: what, afterMs: after.wholeMilliseconds,
                at: alarm.cause.arrival.advanced(by: after).wall.rfc3339, channel: channel?.text, text: text)
        )
    }
}
