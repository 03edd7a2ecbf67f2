import GatewayModel

/// One person's rules and alarms, and the translation of their steps into actions.
struct PersonWatch: Sendable {
    /// Context of the steps of this instant.
    struct Context {
        let now: BootInstant
        let boxFix: Fix?
        let installed: InstalledPlace
        /// Channels that are known to be dead.
        let dead: Set<ChannelID>
    }

    /// Ended alarms kept to answer late words about them (a stand-down, a second acceptance).
    private static let endedKept = 16

    private(set) var plan: SOSPlan
    var rules: VitalRules
    var undated = UndatedHold()
    var alarms: [Alarm] = []
    /// The person is in no plan any more: nothing new is judged.
    private(set) var isLeaving = false
    /// The newest position of one of the person's own wearables.
    var ownFix: PersonFix?
    /// Until its end the first press of each of the person's help buttons is a test. Not kept over a restart: a press is a
    /// call for help then.
    private var buttonTest: ButtonTest?

    struct ButtonTest: Hashable, Sendable {
        let end: BootInstant
        var pressed: [DeviceID: BootInstant] = [:]
    }

    init(plan: SOSPlan) {
        self.plan = plan
        rules = VitalRules(plan: plan)
    }

    var deadline: BootInstant? {
        ([rules.deadline, undated.deadline, buttonTest?.end] + alarms.map(\.deadline)).compactMap(\.self)
            .min()
    }

    var openAlarms: [Alarm] { alarms.filter(\.isOpen) }

    /// The open alarms a person would mean by "the alarm". A drill sounds before the warning that is open beside
    /// it: a person that ends the sound has not seen to the warning.
    var openInQuestion: [AlarmID] {
        let drills = openAlarms.filter(\.cause.isDrill)
        return (drills.isEmpty ? openAlarms : drills).map(\.id)
    }

    /// The alarm a person would mean by "the alarm": the open ones, else the one accepted last, not long
    /// ago.
    func alarmsInQuestion(at now: BootInstant) -> [AlarmID] {
        let open = openInQuestion
        if !open.isEmpty { return open }
        let accepted = alarms.last { $0.wasAcceptedLately(at: now) }
        return accepted.map { [$0.id] } ?? []
    }

    /// How long one press may take to be told: a button that waits whether it is a double one tells the single one
    /// before it, half a second earlier.
    private static let press = Duration.seconds(1)

    /// How long a button that has called for help cancels nothing: a person in fear presses again and again.
    static let callingRest = Duration.seconds(10)

    /// Whether the press of a wearable's button that comes now is the one that has begun an alarm.
    func hasBegun(_ id: AlarmID, byPressOf device: DeviceID, at now: BootInstant) -> Bool {
        alarms.contains { alarm in
            guard alarm.id == id, case .signal(let signal) = alarm.cause, signal.kind != .sosButton else {
                return false
            }
            return signal.device == device && signal.arrival.boot.duration(to: now) < Self.press
        }
    }

    /// Effect of a press that means "I am all right" on the open alarms of the person.
    enum PressEffect: Hashable {
        case ends
        /// Those who have the call hear of it, and decide.
        case adds
        /// The button has just called for help itself.
        case none
    }

    /// While the person has called for help, a press is no sure sign that they are all right. Alarms that the house
    /// raised by itself end by a press as long as there is no call of the person beside them.
    /// - Parameter device: the pressed one; nil where unknown.
    func effect(ofPressOn device: DeviceID?, at now: BootInstant) -> PressEffect {
        let calls = openAlarms.filter(\.isCallOfPerson)
        let isResting = calls.contains {
            $0.cause.device == device && $0.cause.instant.duration(to: now) < Self.callingRest
        }
        if isResting { return .none }
        return calls.contains { $0.timeline.callHandedOver != nil } ? .adds : .ends
    }

    func knows(_ id: AlarmID) -> Bool { alarms.contains { $0.id == id } }

    // MARK: Readings and time

    mutating func judge(_ reading: Reading, in context: Context) -> [SOSAction] {
        let records = undated.hear(reading).map { SOSAction.noteUnjudged($0, .history) }
        guard reading.currency != .undated else { return records }
        return records + judge(reading, at: reading.arrival.boot, in: context)
    }

    /// - Parameter instant: since when it is known to be of now.
    mutating func judge(
        _ reading: Reading, at instant: BootInstant, in context: Context
    ) -> [SOSAction] {
        if let reason = reading.reasonNotToJudge {
            let verdicts =
                VitalRules.saysTakenOff(reading) ? rules.takenOff(reading.device, at: context.now) : []
            return [.noteUnjudged(reading, reason)] + act(on: verdicts, in: context)
        }
        return act(on: rules.judge(reading, at: instant), in: context)
    }

    /// Raises an alarm at once.
    mutating func judge(_ signal: WearableSignal, in context: Context) -> [SOSAction] {
        guard plan.signals.contains(signal.kind) else { return [] }
        if let test = testPress(signal, in: context) { return test }
        return open(.signal(signal), .high, at: signal.arrival.boot, in: context)
    }

    /// Further reports of one press, as a single and a double one, are no second press.
    private static let samePress = Duration.seconds(2)

    /// Lets the first press of each help button be a test until then; nil ends it.
    mutating func testButtons(until end: BootInstant?, in context: Context) -> [SOSAction] {
        let isOver = buttonTest != nil && end == nil
        buttonTest = end.map { ButtonTest(end: $0) }
        return isOver ? [.noteButtonTest(plan.person, isOn: false)] : []
    }

    /// The actions of a press that is a test; nil for one that calls for help.
    private mutating func testPress(_ signal: WearableSignal, in context: Context) -> [SOSAction]? {
        guard signal.kind == .sosButton, signal.by == nil, let test = buttonTest else { return nil }
        let instant = signal.arrival.boot
        if let first = test.pressed[signal.device] {
            return first.duration(to: instant) < Self.samePress ? [] : nil
        }
        guard instant < test.end else { return nil }
        buttonTest?.pressed[signal.device] = instant
        let act = PersonAct(by: "a press of the help button", means: .wearable)
        let drill = Drill(
            id: signal.id, person: signal.person, act: act, arrival: signal.arrival, button: signal.device)
        return open(.drill(drill), .high, at: instant, in: context)
    }

    /// Calls help by a page or a command: a person has confirmed it, so nothing is waited for. The call of an open
    /// emergency goes out now if its window still runs. Where help is being called already nothing changes. Otherwise an
    /// alarm begins, and its call goes out at once.
    mutating func callHelp(_ signal: WearableSignal, _ act: PersonAct, in context: Context) -> [SOSAction] {
        let emergencies = alarms.indices.filter {
            alarms[$0].isOpen && alarms[$0].priority == .high && !alarms[$0].cause.isDrill
        }
        guard !emergencies.isEmpty else {
            return open(.signal(signal), .high, at: signal.arrival.boot, hurriedBy: act, in: context)
        }
        return emergencies.flatMap { index -> [SOSAction] in
            guard alarms[index].windowEnd != nil else { return [] }
            alarms[index].hurried = Alarm.Hurried(by: act, at: context.now)
            _ = alarms[index].trust(at: context.now, window: .zero)
            return perform(alarms[index].hurry(at: context.now, dead: context.dead), of: index, in: context)
        }
    }

    mutating func locate(_ position: WearablePosition) -> [SOSAction] {
        // One that was delayed on its way must not replace a newer one.
        if position.arrival.boot >= ownFix?.fix.arrival.boot ?? position.arrival.boot {
            ownFix = PersonFix(position)
        }
        return []
    }

    /// Nil where it is too old to be of use.
    func ownFix(at now: BootInstant) -> PersonFix? {
        ownFix.flatMap { $0.fix.arrival.boot.duration(to: now) <= AlarmLocation.ownLife ? $0 : nil }
    }

    mutating func exercise(until end: BootInstant?, in context: Context) -> [SOSAction] {
        rules.exercise(until: end, at: context.now)
        return [.noteExercise(plan.person, until: rules.exerciseEnd)]
    }

    mutating func ownRun(until end: BootInstant?, in context: Context) -> [SOSAction] {
        rules.ownRun(until: end, at: context.now)
        return []
    }

    /// Open alarms go on as they are.
    mutating func follow(_ limits: [LimitRule]) -> [SOSAction] {
        plan = plan.with(rules: limits)
        rules.follow(plan)
        return []
    }

    /// Another plan holds from now on. Open alarms go on as they were raised; a crossing that waits to be believed goes
    /// on under the limit in its place.
    mutating func follow(_ plan: SOSPlan) {
        self.plan = plan
        isLeaving = false
        rules.follow(plan)
    }

    mutating func leave() {
        isLeaving = true
        buttonTest = nil
        plan = plan.withoutRules
        rules = VitalRules(plan: plan)
        undated = UndatedHold()
    }

    /// A person that has left, without alarms that owe a message.
    var isOver: Bool { isLeaving && alarms.allSatisfy(\.isSettled) }

    mutating func drill(_ drill: Drill, in context: Context) -> [SOSAction] {
        open(.drill(drill), .high, at: drill.arrival.boot, in: context)
    }

    /// Ends also the test of the buttons: with an alarm in the house a press is meant.
    mutating func endDrills(in context: Context) -> [SOSAction] {
        buttonTest = nil
        return alarms.indices.filter { alarms[$0].isOpen && alarms[$0].cause.isDrill }.flatMap { index in
            perform(alarms[index].end(.lapsed(at: context.now), at: context.now), of: index, in: context)
        }
    }

    /// Judges and confirms due readings, then lets each alarm perform due steps: in this order, so that a very
    /// late caller still gets the alarm before the dispatch.
    mutating func tick(in context: Context) -> [SOSAction] {
        let testEnd = buttonTest.map { $0.end <= context.now } ?? false
        return (testEnd ? testButtons(until: nil, in: context) : []) + judgeDue(in: context)
            + tickAlarms(in: context)
    }

    private mutating func judgeDue(in context: Context) -> [SOSAction] {
        let hadSaid = rules.saidEnd != nil
        let actions =
            undated.due(at: context.now).flatMap { judge($0, at: UndatedHold.end(of: $0), in: context) }
            + act(on: rules.tick(at: context.now), in: context)
        let isOver = hadSaid && rules.saidEnd == nil
        return (isOver ? [.noteExercise(plan.person, until: rules.exerciseEnd)] : []) + actions
    }

    mutating func hurry(in context: Context) -> [SOSAction] {
        alarms.indices.flatMap {
            perform(alarms[$0].hurry(at: context.now, dead: context.dead), of: $0, in: context)
        }
    }

    private mutating func tickAlarms(in context: Context) -> [SOSAction] {
        alarms.indices.flatMap {
            perform(alarms[$0].tick(at: context.now, dead: context.dead), of: $0, in: context)
        }
    }

    mutating func act(on verdicts: [VitalRules.Verdict], in context: Context) -> [SOSAction] {
        verdicts.flatMap { verdict -> [SOSAction] in
            switch verdict {
            case .crossed(let crossing): [.noteCrossing(crossing)]
            case .recovered(let crossing): [.noteRecovery(crossing)]
            case .believed(let cause, let priority, let instant):
                open(cause, priority, at: instant, in: context)
            case .doubted(let crossing, let instant):
                open(
                    .crossing(crossing), crossing.rule.priority, at: instant, isDoubted: !isInEmergency,
                    in: context)
            case .receded(let crossing, let instant):
                [.noteRecovery(crossing)]
                    + (update(AlarmCause.crossing(crossing).alarm, in: context) { $0.recede(at: instant) } ?? [])
            }
        }
    }

    /// Help is needed for another reason that nothing doubts: a press, a fall, another sensor.
    private var isInEmergency: Bool {
        alarms.contains { $0.isOpen && $0.priority == .high && !$0.isDoubted && !$0.cause.isDrill }
    }

    /// The open alarms of doubtful values that now have a second sign.
    private mutating func trust(
        where isMeant: (Alarm) -> Bool, in context: Context
    ) -> [SOSAction] {
        alarms.filter { $0.isOpen && $0.isDoubted && isMeant($0) }.flatMap { alarm in
            let window = plan.windows.window(for: alarm.cause.family, alarm.priority)
            return update(alarm.id, in: context) { $0.trust(at: context.now, window: window) } ?? []
        }
    }

    /// A second device, or a second press, that says the same while an alarm is open is the same call; so is
    /// the warning of a cause for which help is called already.
    private mutating func open(
        _ cause: AlarmCause, _ priority: AlarmPriority, at confirmation: BootInstant,
        isDoubted: Bool = false, hurriedBy act: PersonAct? = nil, in context: Context
    ) -> [SOSAction] {
        guard !openAlarms.contains(where: { $0.says(cause, priority) }) else {
            return isDoubted ? [] : trust(where: { $0.cause.name == cause.name }, in: context)
        }
        let isSign = !isDoubted && priority == .high && !cause.isDrill
        let supported = isSign ? trust(where: { _ in true }, in: context) : []
        var alarm = Alarm(
            cause: cause, priority: priority, confirmation: confirmation, plan: plan, isDoubted: isDoubted)
        var steps: [Alarm.Step] = []
        if let act {
            alarm.hurried = Alarm.Hurried(by: act, at: context.now)
            steps = alarm.hurry(at: context.now, dead: context.dead)
        }
        alarms.append(alarm)
        forgetOldest()
        let index = alarms.index(before: alarms.endIndex)
        let calls = steps.map { action(for: $0, of: index, in: context) }
        return [.annunciate(AlarmNotice(alarms[index]))] + calls + [.record(alarms[index])] + supported
    }

    private mutating func forgetOldest() {
        let surplus = alarms.count { $0.isSettled } - Self.endedKept
        guard surplus > 0, let oldest = alarms.firstIndex(where: \.isSettled) else { return }
        alarms.remove(at: oldest)
    }
}

extension Alarm {
    /// A person asked for it: by a button, or on a page in its window.
    fileprivate var isCallOfPerson: Bool {
        if case .signal(let signal) = cause, signal.kind == .sosButton { return true }
        return hurried != nil
    }

    fileprivate func says(_ other: AlarmCause, _ otherPriority: AlarmPriority) -> Bool {
        if cause.isButtonTest || other.isButtonTest {
            return cause.isButtonTest && other.isButtonTest && cause.device == other.device
        }
        guard cause.name != other.name else { return true }
        guard priority > otherPriority, let rule = other.crossing?.rule else { return false }
        return cause.crossing?.rule.isSameSide(as: rule) ?? false
    }
}

extension PersonWatch {
    /// Lets `change` happen to the alarm `id` and performs its steps; nil where there is no such alarm.
    mutating func update(
        _ id: AlarmID, in context: Context, _ change: (inout Alarm) -> [Alarm.Step]
    ) -> [SOSAction]? {
        guard let index = alarms.firstIndex(where: { $0.id == id }) else { return nil }
        let before = alarms[index]
        let actions = perform(change(&alarms[index]), of: index, in: context)
        let isRecorded = actions.contains { if case .record = $0 { true } else { false } }
        return actions + (alarms[index] == before || isRecorded ? [] : [.record(alarms[index])])
    }

    /// Handles a channel that died or came back, for each open alarm.
    mutating func changed(_ channel: ChannelID, in context: Context) -> [SOSAction] {
        alarms.map(\.id).flatMap { id in
            update(id, in: context) { $0.changed(channel, dead: context.dead, at: context.now) } ?? []
        }
    }

    /// The actions of `steps`, and the record of the alarm after them.
    mutating func perform(_ steps: [Alarm.Step], of index: Int, in context: Context) -> [SOSAction] {
        guard !steps.isEmpty else { return [] }
        let actions = steps.map { action(for: $0, of: index, in: context) }
        let isOnlyRefused = steps.allSatisfy { if case .refuse = $0 { true } else { false } }
        return actions + (isOnlyRefused ? [] : [.record(alarms[index])])
    }

    private mutating func action(for step: Alarm.Step, of index: Int, in context: Context) -> SOSAction {
        if case .dispatch = step, alarms[index].firstOrdered == nil { alarms[index].firstOrdered = context.now }
        let alarm = alarms[index]
        switch step {
        case .annunciate(let repetition):
            return .annunciate(AlarmNotice(alarm, repetition: repetition))
        case .dispatch(let channels, let stage, let round):
            return .dispatch(order(for: alarm, stage, through: channels, round: round, in: context))
        case .reportUnreached:
            return .noteUnreached(AlarmNotice(alarm))
        case .reportAllRight:
            return .noteAllRight(AlarmNotice(alarm))
        case .retract(let channels, let ending):
            return .retract(
                Retraction(
                    alarm: alarm.id, cause: alarm.cause, priority: alarm.priority, ending: ending,
                    firstOrdered: alarm.firstOrdered ?? context.now, ordered: context.now,
                    channels: channels, acknowledged: Set(alarm.timeline.handedOver.keys),
                    callHandedOver: alarm.timeline.callHandedOver))
        case .end(let ending):
            rules.alarmEnded(
                alarm.cause, at: context.now, isReceded: ending.act.means == .gateway)
            return .noteEnding(AlarmNotice(alarm), ending, alarm.timeline)
        case .close(let act):
            return .noteClosing(AlarmNotice(alarm), act)
        case .refuse(let refusal):
            return .refuse(refusal)
        }
    }

    func notice(of id: AlarmID) -> AlarmNotice? {
        alarms.first { $0.id == id }.map { AlarmNotice($0) }
    }

    private func order(
        for alarm: Alarm, _ stage: DispatchStage, through channels: [ChannelID], round: Int,
        in context: Context
    ) -> DispatchOrder {
        DispatchOrder(
            alarm: alarm.id, cause: alarm.cause, priority: alarm.priority, stage: stage,
            confirmation: alarm.timeline.confirmation, firstOrdered: alarm.firstOrdered ?? context.now,
            ordered: context.now,
            newest: alarm.cause.crossing.map { rules.newest(like: $0.reading) },
            trend: alarm.cause.isDrill ? [] : rules.trend.readings(at: context.now),
            location: .best(
                own: ownFix, box: context.boxFix, installed: context.installed, at: context.now),
            channels: channels, round: round, callHandedOver: alarm.timeline.callHandedOver,
            saidAllRight: alarm.saidAllRight, certainty: alarm.certainty)
    }
}

/// Over a restart.
extension PersonWatch {
    /// Without alarms that are over and told; an accepted alarm stays as long as it can still be taken back, or is shown.
    func snapshot(at now: BootInstant) -> SOSSnapshot.Watch {
        SOSSnapshot.Watch(
            person: plan.person,
            alarms: alarms.filter { !$0.isSettled || $0.canBeTakenBack(at: now) || $0.isHeld(at: now) },
            monitors: rules.monitorsToKeep,
            exerciseEnd: rules.saidEnd, runEnd: rules.runEnd, hasStopped: rules.hasStopped ? true : nil,
            earlyWarning: rules.earlyWarningToKeep,
            undated: undated.held.isEmpty ? nil : undated.held)
    }

    /// Goes on from an earlier run. The state of that run is put back as it was; then, where nobody can tell
    /// how long the gateway was away, nothing is waited for any more.
    mutating func resume(
        _ earlier: SOSSnapshot.Watch, after absence: Absence, in context: Context
    ) -> [SOSAction] {
        alarms = earlier.alarms
        rules.resume(earlier, after: absence)
        undated.resume(earlier.undated ?? [])
        rules.release(allBut: Set(openAlarms.map(\.cause.name)), at: context.now)
        let isUnknown = absence == .unknown
        let believed = isUnknown ? believeWhatWaits(in: context) : []
        let resumed = alarms.indices.flatMap { index -> [SOSAction] in
            // One that was believed just now has been told already.
            guard earlier.alarms.contains(where: { $0.id == alarms[index].id }) else { return [] }
            return perform(alarms[index].resume(at: context.now, dead: context.dead), of: index, in: context)
        }
        let exercise: [SOSAction] = rules.saidEnd.map { [.noteExercise(plan.person, until: $0)] } ?? []
        return exercise + believed + resumed + (isUnknown ? hurry(in: context) : [])
    }

    private mutating func believeWhatWaits(in context: Context) -> [SOSAction] {
        undated.hurry().flatMap { judge($0, at: context.now, in: context) }
            + act(on: rules.hurry(at: context.now), in: context)
    }
}
