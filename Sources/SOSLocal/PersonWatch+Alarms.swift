import GatewayModel

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
            return .annunciate(notice(of: alarm, repetition: repetition))
        case .dispatch(let channels, let stage, let round):
            return .dispatch(order(for: alarm, stage, through: channels, round: round, in: context))
        case .reportUnreached:
            return .noteUnreached(notice(of: alarm))
        case .retract(let channels, let ending):
            return .retract(
                Retraction(
                    alarm: alarm.id, cause: alarm.cause, priority: alarm.priority, ending: ending,
                    firstOrdered: alarm.firstOrdered ?? context.now, ordered: context.now,
                    channels: channels, acknowledged: Set(alarm.timeline.handedOver.keys),
                    callHandedOver: alarm.timeline.callHandedOver))
        case .end(let ending):
            rules.alarmEnded(alarm.cause, at: context.now)
            return .noteEnding(notice(of: alarm), ending, alarm.timeline)
        case .refuse(let refusal):
            return .refuse(refusal)
        }
    }

    func notice(of id: AlarmID) -> AlarmNotice? {
        alarms.first { $0.id == id }.map { notice(of: $0) }
    }

    func notice(of alarm: Alarm, repetition: Int = 0) -> AlarmNotice {
        AlarmNotice(
            alarm: alarm.id, cause: alarm.cause, priority: alarm.priority,
            confirmation: alarm.timeline.confirmation, windowEnd: alarm.windowEnd,
            isNoticeGiven: alarm.isNoticeGiven, call: alarm.call, repetition: repetition)
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
            channels: channels, round: round, callHandedOver: alarm.timeline.callHandedOver)
    }
}

/// Over a restart.
extension PersonWatch {
    /// Without what is over and told; an accepted alarm stays as long as it can still be taken back.
    func snapshot(at now: BootInstant) -> SOSSnapshot.Watch {
        SOSSnapshot.Watch(
            person: plan.person, alarms: alarms.filter { !$0.isSettled || $0.canBeTakenBack(at: now) },
            monitors: rules.monitorsToKeep,
            exerciseEnd: rules.saidEnd, runEnd: rules.runEnd, hasStopped: rules.hasStopped ? true : nil,
            earlyWarning: rules.earlyWarningToKeep,
            undated: undated.held.isEmpty ? nil : undated.held)
    }

    /// Goes on from an earlier run. What that run knew is put back as it was; then, where nobody can tell how
    /// long the gateway was away, nothing is waited for any more.
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
        return believed + resumed + (isUnknown ? hurry(in: context) : [])
    }

    private mutating func believeWhatWaits(in context: Context) -> [SOSAction] {
        undated.hurry().flatMap { judge($0, at: context.now, in: context) }
            + act(on: rules.hurry(at: context.now), in: context)
    }
}
