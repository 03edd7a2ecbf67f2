public import GatewayModel

/// AutomatedSOS for the house: every person's rules and alarms. Event and instant in, actions out.
///
/// No clock, no I/O, no randomness: the same events at the same instants give the same actions. The
/// caller hands events over in the order of their instants and calls `advance` at `nextDeadline`.
public struct SOSMachine: Sendable {
    private var watches: [PersonWatch]
    private let installed: InstalledPlace
    private var lastFix: Fix?
    /// Time never runs backwards here, whatever the order of arrival.
    private var now: BootInstant

    public init(plans: [SOSPlan], installed: InstalledPlace, startingAt now: BootInstant) {
        self.watches = plans.map(PersonWatch.init)
        self.installed = installed
        self.now = now
    }

    /// When `advance` has to be called at the latest; nil when nothing waits.
    public var nextDeadline: BootInstant? {
        watches.compactMap(\.deadline).min()
    }

    public var openAlarms: [Alarm] { watches.flatMap(\.openAlarms) }

    /// What is due up to `instant` happens first, then the event: an abort at the very end of the
    /// window comes after the dispatch.
    public mutating func handle(_ event: SOSEvent, at instant: BootInstant) -> [SOSAction] {
        advance(to: instant) + react(to: event)
    }

    /// Everything that is due at `instant`.
    public mutating func advance(to instant: BootInstant) -> [SOSAction] {
        now = max(now, instant)
        let context = context
        return watches.indices.flatMap { watches[$0].tick(in: context) }
    }

    private var context: PersonWatch.Context {
        PersonWatch.Context(now: now, location: .best(of: lastFix, installed: installed, at: now))
    }

    private mutating func react(to event: SOSEvent) -> [SOSAction] {
        let now = now
        switch event {
        case .reading(let reading):
            return judge(reading)
        case .signal(let signal):
            guard let index = watches.firstIndex(where: { $0.plan.person == signal.person }) else { return [] }
            return watches[index].judge(signal)
        case .fix(let fix):
            // A fix that was delayed on its way must not replace a newer one.
            if fix.arrival.boot >= lastFix?.arrival.boot ?? fix.arrival.boot { lastFix = fix }
            return []
        case .annunciated(let id):
            return progress(event, of: id) { $0.annunciated(at: now) }
        case .dispatched(let id, _):
            return progress(event, of: id) { $0.dispatched(at: now) }
        case .handedOver(let id, let channel):
            return progress(event, of: id) { $0.handedOver(by: channel, at: now) }
        case .channelFailed(let id, let channel, _):
            return update(id) { $0.failed(channel, at: now) } ?? []
        case .accepted(let id, let person, let act, let channel):
            guard watches.contains(where: { $0.plan.person == person && $0.knows(id) }) else {
                return [.refuse(.unknownAlarm)]
            }
            return update(id) { $0.accept(act, channel: channel, at: now) } ?? []
        case .abort(let target, let act):
            return update(target) { $0.abort(act, at: now) }
        case .resolve(let target, let act):
            return update(target) { $0.resolve(act, at: now) }
        case .stopping:
            let context = context
            return watches.indices.flatMap { watches[$0].hurry(in: context) }
        }
    }

    private mutating func judge(_ reading: Reading) -> [SOSAction] {
        guard let index = watches.firstIndex(where: { $0.plan.person == reading.person }) else {
            return [.noteUnjudged(reading, .unwatched)]
        }
        return watches[index].judge(reading, in: context)
    }

    private mutating func progress(
        _ event: SOSEvent, of id: AlarmID, _ change: (inout Alarm) -> Void
    ) -> [SOSAction] {
        var progress: AlarmTimeline?
        _ = update(id) { alarm in
            let before = alarm.timeline
            change(&alarm)
            if alarm.timeline != before { progress = alarm.timeline }
            return []
        }
        return progress.map { [.noteProgress(id, event, $0)] } ?? []
    }

    private mutating func update(
        _ id: AlarmID, _ change: (inout Alarm) -> [Alarm.Step]
    ) -> [SOSAction]? {
        guard let index = watches.firstIndex(where: { $0.knows(id) }) else { return nil }
        return watches[index].update(id, in: context, change)
    }

    /// Finds what a person means. A person with two open alarms means both; two persons with one each
    /// is for the caller to say.
    private mutating func update(
        _ target: AlarmTarget, _ change: (inout Alarm) -> [Alarm.Step]
    ) -> [SOSAction] {
        switch target {
        case .alarm(let id):
            return update(id, change) ?? [.refuse(.unknownAlarm)]
        case .person(let person):
            return update(inQuestion(of: watches.filter { $0.plan.person == person }), change)
        case .theOpenOne:
            let open = watches.filter { !$0.openAlarms.isEmpty }
            let asked = open.isEmpty ? watches.filter { !$0.alarmsInQuestion(at: now).isEmpty } : open
            guard asked.count <= 1 else { return [.refuse(.severalOpen(asked.map(\.plan.person)))] }
            return update(inQuestion(of: asked), change)
        }
    }

    private func inQuestion(of watches: [PersonWatch]) -> [AlarmID] {
        watches.flatMap { $0.alarmsInQuestion(at: now) }
    }

    private mutating func update(
        _ ids: [AlarmID], _ change: (inout Alarm) -> [Alarm.Step]
    ) -> [SOSAction] {
        guard !ids.isEmpty else { return [.refuse(.nothingOpen)] }
        return ids.flatMap { update($0, change) ?? [] }
    }
}
