import GatewayModel

/// One person's rules and alarms, and the translation of their steps into actions.
struct PersonWatch: Sendable {
    /// What the steps of this instant are performed with.
    struct Context {
        let now: BootInstant
        let boxFix: Fix?
        let installed: InstalledPlace
        /// Channels that are known to be dead.
        let dead: Set<ChannelID>
    }

    /// Ended alarms kept to answer late words about them (a stand-down, a second acceptance).
    static let endedKept = 16

    private(set) var plan: SOSPlan
    var rules: VitalRules
    var undated = UndatedHold()
    var alarms: [Alarm] = []
    /// The person is in no plan any more: nothing new is judged.
    private(set) var isLeaving = false
    /// The newest position of one of the person's own wearables.
    var ownFix: PersonFix?

    init(plan: SOSPlan) {
        self.plan = plan
        rules = VitalRules(plan: plan)
    }

    var deadline: BootInstant? {
        ([rules.deadline, undated.deadline] + alarms.map(\.deadline)).compactMap(\.self).min()
    }

    var openAlarms: [Alarm] { alarms.filter(\.isOpen) }

    /// The open alarms a person would mean by "the alarm". A drill sounds before the warning that is open beside
    /// it: who ends what sounds has not seen to the warning.
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

    /// Whether the press of a wearable's button that comes now is the one that has begun an alarm.
    func hasBegun(_ id: AlarmID, byPressOf device: DeviceID, at now: BootInstant) -> Bool {
        alarms.contains { alarm in
            guard alarm.id == id, case .signal(let signal) = alarm.cause else { return false }
            return signal.device == device && signal.arrival.boot.duration(to: now) < Self.press
        }
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
            let verdicts = VitalRules.saysTakenOff(reading) ? rules.takenOff(reading.device) : []
            return [.noteUnjudged(reading, reason)] + act(on: verdicts, in: context)
        }
        return act(on: rules.judge(reading, at: instant), in: context)
    }

    /// Raises an alarm at once.
    mutating func judge(_ signal: WearableSignal, in context: Context) -> [SOSAction] {
        guard plan.signals.contains(signal.kind) else { return [] }
        return open(.signal(signal), .high, at: signal.arrival.boot, in: context)
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
        return []
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
        plan = plan.withoutRules
        rules = VitalRules(plan: plan)
        undated = UndatedHold()
    }

    /// A person who has left, and whose alarms owe no message any more.
    var isOver: Bool { isLeaving && alarms.allSatisfy(\.isSettled) }

    /// Not while help is called in earnest: nobody is to wonder which of the two was meant. A warning may be open
    /// for days, and goes to carers alone.
    mutating func drill(_ drill: Drill, in context: Context) -> [SOSAction] {
        if let open = openAlarms.first(where: { $0.priority == .high && !$0.cause.isDrill }) {
            return [.refuse(.emergencyOpen(open.id))]
        }
        return open(.drill(drill), .high, at: drill.arrival.boot, in: context)
    }

    /// Judges and confirms what is due, then lets each alarm do what is due: in this order, so that a caller
    /// who is very late still gets the alarm before the dispatch.
    mutating func tick(in context: Context) -> [SOSAction] {
        undated.due(at: context.now).flatMap { judge($0, at: UndatedHold.end(of: $0), in: context) }
            + act(on: rules.tick(at: context.now), in: context) + tickAlarms(in: context)
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
            }
        }
    }

    /// A second device, or a second press, that says the same while an alarm is open is the same call; so is
    /// the warning of what help is called for already. A real one ends a drill.
    private mutating func open(
        _ cause: AlarmCause, _ priority: AlarmPriority, at confirmation: BootInstant, in context: Context
    ) -> [SOSAction] {
        guard !openAlarms.contains(where: { $0.says(cause, priority) }) else { return [] }
        let drills = alarms.indices.filter {
            alarms[$0].isOpen && alarms[$0].cause.isDrill && priority > .low
        }
        let overtaken = drills.flatMap { index in
            perform(alarms[index].end(.lapsed(at: context.now), at: context.now), of: index, in: context)
        }
        let alarm = Alarm(cause: cause, priority: priority, confirmation: confirmation, plan: plan)
        alarms.append(alarm)
        forgetOldest()
        return [.annunciate(notice(of: alarm)), .record(alarm)] + overtaken
    }

    private mutating func forgetOldest() {
        let surplus = alarms.count { $0.isSettled } - Self.endedKept
        guard surplus > 0, let oldest = alarms.firstIndex(where: \.isSettled) else { return }
        alarms.remove(at: oldest)
    }
}

extension Alarm {
    fileprivate func says(_ other: AlarmCause, _ otherPriority: AlarmPriority) -> Bool {
        guard cause.name != other.name else { return true }
        guard priority > otherPriority, let rule = other.crossing?.rule else { return false }
        return cause.crossing?.rule.isSameSide(as: rule) ?? false
    }
}
