import GatewayModel

/// One person's rules and alarms, and the translation of their steps into actions.
struct PersonWatch: Sendable {
    /// What the steps of this instant are performed with.
    struct Context {
        let now: BootInstant
        let location: AlarmLocation
    }

    private struct Source: Hashable {
        let device: DeviceID
        let kind: QuantityKind

        init(of reading: Reading) {
            device = reading.device
            kind = reading.quantity.kind
        }
    }

    private struct Monitored {
        let device: DeviceID
        var monitor: LimitMonitor
    }

    /// How long after its acceptance an alarm can still be taken back without naming it.
    static let standDownLimit = Duration.seconds(1_800)
    /// Ended alarms kept to answer late words about them (a stand-down, a second acceptance).
    static let endedKept = 16

    let plan: SOSPlan
    /// Per device, since two that measure the same must not argue each other down: one that is stuck at
    /// a normal value would clear every crossing that the other sees.
    private var monitors: [Monitored] = []
    private var alarms: [Alarm] = []
    private var newest: [Source: Reading] = [:]

    init(plan: SOSPlan) {
        self.plan = plan
    }

    var deadline: BootInstant? {
        (monitors.compactMap(\.monitor.deadline) + alarms.compactMap(\.deadline)).min()
    }

    var openAlarms: [Alarm] { alarms.filter(\.isOpen) }

    /// The alarm a person would mean by "the alarm": the open ones, else the one accepted last, not long
    /// ago.
    func alarmsInQuestion(at now: BootInstant) -> [AlarmID] {
        let open = openAlarms.map(\.id)
        if !open.isEmpty { return open }
        let accepted = alarms.last { alarm in
            if case .accepted(_, _, let at) = alarm.ending {
                at.duration(to: now) <= Self.standDownLimit
            } else {
                false
            }
        }
        return accepted.map { [$0.id] } ?? []
    }

    func knows(_ id: AlarmID) -> Bool { alarms.contains { $0.id == id } }

    // MARK: Readings and time

    mutating func judge(_ reading: Reading, in context: Context) -> [SOSAction] {
        guard reading.currency == .live else { return [.noteUnjudged(reading, .history)] }
        guard reading.contact != .lost else { return [.noteUnjudged(reading, .contactLost)] }
        guard reading.quantity.isPlausible else { return [.noteUnjudged(reading, .implausible)] }
        newest[Source(of: reading)] = reading
        monitor(reading.device)
        return monitors.indices.flatMap { index in
            guard monitors[index].device == reading.device,
                monitors[index].monitor.rule.kind == reading.quantity.kind
            else { return [SOSAction]() }
            return act(on: monitors[index].monitor.judge(reading))
        }
    }

    private mutating func monitor(_ device: DeviceID) {
        guard !monitors.contains(where: { $0.device == device }) else { return }
        monitors += plan.rules.map {
            Monitored(device: device, monitor: LimitMonitor(rule: $0, rearmInterval: plan.rearmInterval))
        }
    }

    /// Raises an alarm at once.
    mutating func judge(_ signal: WearableSignal) -> [SOSAction] {
        plan.signals.contains(signal.kind) ? open(.signal(signal), at: signal.arrival.boot) : []
    }

    /// Confirms what is due, then lets each alarm do what is due: in this order, so that a caller who
    /// is very late still gets the alarm before the dispatch.
    mutating func tick(in context: Context) -> [SOSAction] {
        let confirmed = monitors.indices.flatMap { act(on: monitors[$0].monitor.tick(at: context.now)) }
        return confirmed
            + alarms.indices.flatMap { perform(alarms[$0].tick(at: context.now), of: $0, in: context) }
    }

    mutating func hurry(in context: Context) -> [SOSAction] {
        alarms.indices.flatMap { perform(alarms[$0].hurry(at: context.now), of: $0, in: context) }
    }

    private mutating func act(on decisions: [LimitMonitor.Decision]) -> [SOSAction] {
        decisions.flatMap { decision -> [SOSAction] in
            switch decision {
            case .crossed(let crossing): [.noteCrossing(crossing)]
            case .recovered(let crossing): [.noteRecovery(crossing)]
            case .confirmed(let crossing, let instant): open(.crossing(crossing), at: instant)
            }
        }
    }

    /// A second device, or a second press, that says the same while an alarm is open is the same call.
    private mutating func open(_ cause: AlarmCause, at confirmation: BootInstant) -> [SOSAction] {
        guard !openAlarms.contains(where: { $0.cause.name == cause.name }) else { return [] }
        let alarm = Alarm(cause: cause, confirmation: confirmation, plan: plan)
        alarms.append(alarm)
        forgetOldest()
        return [.annunciate(notice(of: alarm, repetition: 0))]
    }

    private mutating func forgetOldest() {
        let surplus = alarms.count { !$0.isOpen } - Self.endedKept
        guard surplus > 0, let oldest = alarms.firstIndex(where: { !$0.isOpen }) else { return }
        alarms.remove(at: oldest)
    }

    // MARK: Alarms

    /// Lets `change` happen to the alarm `id` and performs its steps; nil where there is no such alarm.
    mutating func update(
        _ id: AlarmID, in context: Context, _ change: (inout Alarm) -> [Alarm.Step]
    ) -> [SOSAction]? {
        guard let index = alarms.firstIndex(where: { $0.id == id }) else { return nil }
        return perform(change(&alarms[index]), of: index, in: context)
    }

    private mutating func perform(_ steps: [Alarm.Step], of index: Int, in context: Context) -> [SOSAction] {
        steps.map { step in
            let alarm = alarms[index]
            switch step {
            case .annunciate(let repetition):
                return .annunciate(notice(of: alarm, repetition: repetition))
            case .dispatch(let channels, let round):
                return .dispatch(order(for: alarm, through: channels, round: round, in: context))
            case .retract(let channels, let ending):
                return .retract(
                    Retraction(
                        alarm: alarm.id, person: plan.person, ending: ending, channels: channels,
                        ordered: context.now))
            case .end(let ending):
                endMonitoring(of: alarm, at: context.now)
                return .noteEnding(notice(of: alarm, repetition: 0), ending, alarm.timeline)
            case .refuse(let refusal):
                return .refuse(refusal)
            }
        }
    }

    private mutating func endMonitoring(of alarm: Alarm, at now: BootInstant) {
        guard let rule = alarm.cause.crossing?.rule else { return }
        for index in monitors.indices where monitors[index].monitor.rule == rule {
            monitors[index].monitor.alarmEnded(at: now)
        }
    }

    private func notice(of alarm: Alarm, repetition: Int) -> AlarmNotice {
        AlarmNotice(
            alarm: alarm.id, cause: alarm.cause, confirmation: alarm.timeline.confirmation,
            windowEnd: alarm.windowEnd, call: alarm.call, repetition: repetition)
    }

    private func order(
        for alarm: Alarm, through channels: [ChannelID], round: Int, in context: Context
    ) -> DispatchOrder {
        let crossing = alarm.cause.crossing
        return DispatchOrder(
            alarm: alarm.id, cause: alarm.cause, confirmation: alarm.timeline.confirmation,
            ordered: context.now, newest: crossing.map { newest[Source(of: $0.reading)] ?? $0.reading },
            location: context.location, channels: channels, round: round)
    }
}
