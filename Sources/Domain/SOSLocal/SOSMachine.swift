public import GatewayModel

/// AutomatedSOS for the house: every person's rules and alarms. Event and instant in, actions out.
///
/// No clock, no I/O, no randomness: the same events at the same instants give the same actions. The
/// caller hands events over in the order of their instants and calls `advance` at `nextDeadline`.
public struct SOSMachine: Sendable {
    private var watches: [PersonWatch]
    private var installed: InstalledPlace
    private var lastFix: Fix?
    /// Channels that are known to be dead. Not kept over a restart: their parts say it anew.
    private var dead: Set<ChannelID> = []
    /// Time never runs backwards here, in any order of arrival.
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

    /// Steps that are due up to `instant` happen first, then the event: an abort at the very end of the window
    /// comes after the dispatch.
    public mutating func handle(_ event: SOSEvent, at instant: BootInstant) -> [SOSAction] {
        let due = advance(to: instant)
        let reaction = react(to: event)
        return due + reaction + endDrills(overtakenBy: reaction)
    }

    /// Everything that is due at `instant`.
    public mutating func advance(to instant: BootInstant) -> [SOSAction] {
        now = max(now, instant)
        let context = context
        watches.removeAll(where: \.isOver)
        let actions = watches.indices.flatMap { watches[$0].tick(in: context) }
        return actions + endDrills(overtakenBy: actions)
    }

    /// An alarm of anybody ends every drill of the house: the room and the channels have one thing to attend to.
    private mutating func endDrills(overtakenBy actions: [SOSAction]) -> [SOSAction] {
        guard actions.contains(where: \.overtakesDrills) else { return [] }
        let context = context
        return watches.indices.flatMap { watches[$0].endDrills(in: context) }
    }

    /// Why a drill is not held now: never beside an emergency of anybody, and one at a time. A warning may be open for
    /// days, and goes to carers alone.
    private func obstacle(to drill: Drill) -> Alarm.Refusal? {
        let open = openAlarms
        if let emergency = open.first(where: { $0.priority == .high && !$0.cause.isDrill }) {
            return .emergencyOpen(emergency.id)
        }
        return open.first { $0.cause.isDrill && !$0.cause.isButtonTest && $0.cause.person != drill.person }.map
        { .drillOpen($0.id) }
    }

    private var context: PersonWatch.Context {
        PersonWatch.Context(now: now, boxFix: lastFix, installed: installed, dead: dead)
    }

    private mutating func react(to event: SOSEvent) -> [SOSAction] {
        let now = now
        let context = context
        switch event {
        case .reading(let reading):
            return watch(reading.person) { $0.judge(reading, in: context) }
                ?? [.noteUnjudged(reading, .unwatched)]
        case .signal(let signal):
            return watch(signal.person) { $0.judge(signal, in: context) } ?? []
        case .exercise(let person, let end):
            return watch(person) { $0.exercise(until: end, in: context) } ?? [.refuse(.unknownPerson(person))]
        case .ownRun(let person, let end):
            return watch(person) { $0.ownRun(until: end, in: context) } ?? [.refuse(.unknownPerson(person))]
        case .limits(let person, let rules):
            return watch(person) { $0.follow(rules) } ?? [.refuse(.unknownPerson(person))]
        case .plans(let plans, let installed):
            follow(plans, installed)
            return []
        case .drill(let drill):
            let obstacle = obstacle(to: drill)
            return watch(drill.person) { watch in
                obstacle.map { [.refuse($0)] } ?? watch.drill(drill, in: context)
            } ?? [.refuse(.unknownPerson(drill.person))]
        case .testButtons(let person, let end):
            let emergency = openAlarms.first { $0.priority == .high && !$0.cause.isDrill }
            return watch(person) { watch in
                guard let end else { return watch.testButtons(until: nil, in: context) }
                guard let emergency else {
                    return watch.testButtons(until: end, in: context)
                        + [.noteButtonTest(person, isOn: true)]
                }
                return [.refuse(.emergencyOpen(emergency.id))]
            } ?? [.refuse(.unknownPerson(person))]
        case .fix(let fix):
            // A fix that was delayed on its way must not replace a newer one.
            if fix.arrival.boot >= lastFix?.arrival.boot ?? fix.arrival.boot { lastFix = fix }
            return []
        case .position(let position):
            return watch(position.person) { $0.locate(position) } ?? []
        case .annunciated(let id):
            return progress(event, of: id) { $0.annunciated(at: now) }
        case .channel(let channel, let word):
            return hear(word, from: channel, event)
        case .channelState(let channel, let isLive):
            return change(channel, isLive: isLive)
        case .abort(let target, let act):
            return end(target, act) { $0.abort(act, at: now) }
        case .resolve(let target, let act):
            return end(target, act) { $0.resolve(act, at: now) }
        case .accept(let id, let act):
            return accept(id, act)
        case .callHelp(let signal, let act):
            return watch(signal.person) { $0.callHelp(signal, act, in: context) }
                ?? [.refuse(.unknownPerson(signal.person))]
        case .stopping:
            return watches.indices.flatMap { watches[$0].hurry(in: context) }
        }
    }

    private mutating func watch(
        _ person: PersonID, _ change: (inout PersonWatch) -> [SOSAction]
    ) -> [SOSAction]? {
        guard let index = watches.firstIndex(where: { $0.plan.person == person && !$0.isLeaving }) else {
            return nil
        }
        return change(&watches[index])
    }

    private mutating func change(_ channel: ChannelID, isLive: Bool) -> [SOSAction] {
        guard isLive ? dead.remove(channel) != nil : dead.insert(channel).inserted else { return [] }
        let context = context
        return watches.indices.flatMap { watches[$0].changed(channel, in: context) }
    }

    /// A person without a plan stays until their alarms are over.
    private mutating func follow(_ plans: [SOSPlan], _ installed: InstalledPlace) {
        self.installed = installed
        for index in watches.indices {
            if let plan = plans.first(where: { $0.person == watches[index].plan.person }) {
                watches[index].follow(plan)
            } else {
                watches[index].leave()
            }
        }
        for plan in plans where !watches.contains(where: { $0.plan.person == plan.person }) {
            watches.append(PersonWatch(plan: plan))
        }
        watches.removeAll(where: \.isOver)
    }

    private mutating func hear(
        _ word: ChannelEvent, from channel: ChannelID, _ event: SOSEvent
    ) -> [SOSAction] {
        let (now, dead) = (now, dead)
        switch word {
        case .dispatched(let id):
            return progress(event, of: id) { $0.dispatched(by: channel, at: now) }
        case .handedOver(let id, let stage):
            return progress(event, of: id) { $0.handedOver(by: channel, stage, at: now) }
        case .failed(let id, let stage, let reason):
            return failure(of: channel, id, stage, reason) {
                $0.failed(channel, stage, reason, at: now, dead: dead)
            }
        case .accepted(let id, let person, let by, let othersWait):
            guard watches.contains(where: { $0.knows(id) && $0.plan.person == person ?? $0.plan.person })
            else { return [.refuse(.unknownAlarm)] }
            let act = PersonAct(by: by, means: .channel)
            return update(id) { $0.accept(act, channel: channel, othersWait: othersWait, at: now) } ?? []
        case .retracted(let id):
            return update(id) { alarm in
                alarm.retracted(by: channel)
                return []
            } ?? []
        case .retractionFailed(let id, let reason):
            return failure(of: channel, id, nil, reason) { alarm in
                alarm.retractionFailed(channel, reason, at: now)
                return []
            }
        }
    }

    /// - Parameter stage: of the call; nil where the last word did not arrive.
    private mutating func failure(
        of channel: ChannelID, _ id: AlarmID, _ stage: DispatchStage?, _ reason: String,
        _ change: (inout Alarm) -> [Alarm.Step]
    ) -> [SOSAction] {
        let before = watches.flatMap(\.alarms).first { $0.id == id }
        let isNews = before?.isNews(failureOf: channel, stage, reason) ?? false
        guard let actions = update(id, change) else { return [] }
        let notice = isNews ? watches.first { $0.knows(id) }?.notice(of: id) : nil
        return (notice.map { [.noteFailure($0, channel, reason: reason, isLastWord: stage == nil)] } ?? [])
            + actions
    }

    private mutating func progress(
        _ event: SOSEvent, of id: AlarmID, _ change: (inout Alarm) -> Void
    ) -> [SOSAction] {
        var progress: AlarmTimeline?
        let actions = update(id) { alarm in
            let before = alarm.timeline
            change(&alarm)
            if alarm.timeline != before { progress = alarm.timeline }
            return []
        }
        return (progress.map { [.noteProgress(id, event, $0)] } ?? []) + (actions ?? [])
    }

    private mutating func update(
        _ id: AlarmID, _ change: (inout Alarm) -> [Alarm.Step]
    ) -> [SOSAction]? {
        guard let index = watches.firstIndex(where: { $0.knows(id) }) else { return nil }
        return watches[index].update(id, in: context, change)
    }

    // MARK: Acts of persons

    /// Finds the alarms that a person's act is about, and whether they may act. A person with two open alarms
    /// means both, unless one of them is a drill; two persons with one each is for the caller to say.
    private mutating func end(
        _ target: AlarmTarget, _ act: PersonAct, _ change: (inout Alarm) -> [Alarm.Step]
    ) -> [SOSAction] {
        let now = now
        let ids: [AlarmID]
        switch target {
        case .alarm(let id):
            guard watches.contains(where: { $0.knows(id) }) else { return [.refuse(.unknownAlarm)] }
            ids = [id]
        case .person(let person):
            ids = inQuestion(of: watches.filter { $0.plan.person == person })
        case .whatIsOpen(let owner):
            let open = watches.filter { !$0.openAlarms.isEmpty }
            let meant = open.count <= 1 ? open : open.filter { $0.plan.person == owner }
            guard open.isEmpty || !meant.isEmpty else { return [several(open, act)] }
            ids = meant.flatMap(\.openInQuestion)
        case .openOf(let person, pressedOn: let device):
            ids = watches.filter { $0.plan.person == person }.flatMap { watch in
                watch.openInQuestion.filter { !watch.hasBegun($0, byPressOf: device, at: now) }
            }
        case .theOpenOne:
            let open = watches.filter { !$0.openAlarms.isEmpty }
            let asked = open.isEmpty ? watches.filter { !$0.alarmsInQuestion(at: now).isEmpty } : open
            guard asked.count <= 1 else { return [several(asked, act)] }
            ids = inQuestion(of: asked)
        }
        guard !ids.isEmpty else { return [.refuse(.nothingOpen)] }
        // By the state before the press: each of them counts.
        let ends = ids.map { id -> (AlarmID, PersonWatch.PressEffect)? in
            guard let watch = watches.first(where: { $0.knows(id) && $0.plan.mayEnd.contains(act.means) })
            else { return nil }
            return (id, act.means.isPress ? watch.effect(ofPressOn: target.pressed, at: now) : .ends)
        }
        return ends.flatMap { end -> [SOSAction] in
            switch end {
            case nil: [.refuse(.notAllowed(act.means))]
            case (let id, .ends)?: update(id, change) ?? []
            case (let id, .adds)?: update(id) { $0.sayAllRight(act, at: now) } ?? []
            case (_, .none)?: [.refuse(.hasJustCalled)]
            }
        }
    }

    /// An acceptance on a page ends the calling for help, so the person's plan has to allow that means.
    private mutating func accept(_ id: AlarmID, _ act: PersonAct) -> [SOSAction] {
        guard let watch = watches.first(where: { $0.knows(id) }) else { return [.refuse(.unknownAlarm)] }
        guard watch.plan.mayEnd.contains(act.means) else { return [.refuse(.notAllowed(act.means))] }
        let now = now
        return update(id) { $0.accept(act, channel: .pages, othersWait: true, at: now) } ?? []
    }

    private func several(_ watches: [PersonWatch], _ act: PersonAct) -> SOSAction {
        .refuse(.severalOpen(watches.map(\.plan.person), asked: act.means))
    }

    private func inQuestion(of watches: [PersonWatch]) -> [AlarmID] {
        watches.flatMap { $0.alarmsInQuestion(at: now) }
    }

    // MARK: Over a restart

    /// State that must outlive the gateway, as of now.
    public var snapshot: SOSSnapshot {
        let own = watches.compactMap { $0.ownFix(at: now) }
        return SOSSnapshot(
            taken: now, watches: watches.map { $0.snapshot(at: now) }, lastFix: lastFix,
            ownFixes: own.isEmpty ? nil : own)
    }

    /// Goes on from an earlier run of the gateway; once, before anything else. Persons who are no longer
    /// watched are left out.
    ///
    /// - Parameter absence: where unknown, the instants of the snapshot have been moved so that it was taken
    ///   now.
    public mutating func resume(_ earlier: SOSSnapshot, after absence: Absence) -> [SOSAction] {
        lastFix = earlier.lastFix
        let context = context
        let resumed = watches.indices.flatMap { index -> [SOSAction] in
            let person = watches[index].plan.person
            watches[index].ownFix = earlier.ownFixes?.last { $0.person == person }
            guard let kept = earlier.watches.first(where: { $0.person == person }) else { return [] }
            return watches[index].resume(kept, after: absence, in: context)
        }
        return resumed + endDrills(overtakenBy: resumed) + advance(to: now)
    }
}

extension SOSAction {
    /// The first word of an alarm that someone has to see to.
    fileprivate var overtakesDrills: Bool {
        guard case .annunciate(let notice) = self else { return false }
        return notice.repetition == 0 && !notice.cause.isDrill && notice.priority > .low
    }
}
