import GatewayModel
import SOSLocal

/// Checks the promises T1 to T10 from outside: from the events and the actions, without access to the machine's state.
struct Ledger: Hashable, Sendable {
    /// One alarm, seen from outside.
    private struct Case: Hashable, Sendable {
        let person: PersonID
        let isDrill: Bool
        /// A person asked for help by a button.
        let isCall: Bool
        /// The press of a help button in its test.
        let isTest: Bool
        /// A channel has acknowledged the call itself.
        var hasArrived = false
        let crossing: BootInstant
        let confirmation: BootInstant
        /// Earliest instant of a call for help: the person has until then to cancel.
        var windowEnd: BootInstant
        var told: Set<ChannelID> = []
        var isEnded = false
        /// The channel of the acceptance; it can still be taken back then.
        var acceptedBy: ChannelID?
        /// Channels that were informed of the alarm, and not yet of its end.
        var owed: Set<ChannelID> = []
        var reached: Set<ChannelID> = []
        /// The round of the call, and whether any channel has acknowledged the call itself in it.
        var round = 0
        var isCallReached = false
        /// Channels with a failed call that were not called again since, and the time of the failure.
        var failed: [ChannelID: BootInstant] = [:]
        /// Instant of the first order of the call itself, and whether the house was told since that no channel has it.
        var called: BootInstant?
        var isReported = false
        /// Doubtful values alone have raised it, and nothing supports them yet.
        var isDoubted: Bool
        /// It had to be told within the promise though its call may be later.
        let hasNotice: Bool
        /// The gateway was away, or a channel died or came back: the known deadlines move with it.
        var isDisturbed = false

        /// Whether a channel has the newest message of the alarm.
        var isAcknowledged: Bool { round == 0 ? !reached.isEmpty : isCallReached }
    }

    let plan: SOSPlan
    private(set) var broken: [String] = []
    private var cases: [AlarmID: Case] = [:]
    /// Crossings that are not confirmed or withdrawn yet.
    private var crossings: [MessageID: BootInstant] = [:]
    private var drills: Set<MessageID> = []
    /// Until then the first press of the first person's button is a test, and the press that was one.
    private var testEnd: BootInstant?
    private var testPress: BootInstant?
    private var company = Company()
    /// After the first alarm a rule may rest, and a crossing have no effect.
    private var hasAlarmed = false
    private var fix: BootInstant?
    /// The gateway was away, or was stopped, or does not know for how long. Due actions may come late by this time, and
    /// waiting ones early.
    private var slack = Duration.zero
    private var dead: Set<ChannelID> = []
    private var isHurried = false
    /// How long a crossing may be neither believed nor taken back: longer once a value was doubtful.
    private var patience = Duration.seconds(2)

    init(plan: SOSPlan) {
        self.plan = plan
    }

    // MARK: Events

    mutating func happened(_ event: SOSEvent, at now: BootInstant) {
        switch event {
        case .drill(let drill): drills.insert(drill.id)
        case .reading(let reading) where reading.currency == .undated: company.heard(reading, at: now)
        case .testButtons(_, let end):
            let isRefused = cases.values.contains { !$0.isEnded && !$0.isDrill }
            if !isRefused { (testEnd, testPress) = (end, nil) }
        case .signal(let signal) where signal.person == ExploredHouse.person:
            guard let end = testEnd, now < end, testPress == nil else { break }
            drills.insert(signal.id)
            testPress = now
        case .reading(let reading) where !reading.doubts.isEmpty: patience = DoubtfulValues.askedAfter
        case .fix: fix = now
        case .callHelp(let signal, _):
            // A person does not wait for the end of the window.
            for (id, one) in cases where !one.isEnded && !one.isDrill && one.person == signal.person {
                cases[id]?.windowEnd = min(one.windowEnd, now)
                cases[id]?.isDoubted = false
            }
        case .stopping: isHurried = true
        case .channel(let channel, .handedOver(let id, let stage)):
            cases[id]?.reached.insert(channel)
            if stage == .confirmed {
                cases[id]?.isCallReached = true
                cases[id]?.hasArrived = true
            }
        case .channelState(let channel, let isLive):
            if isLive { dead.remove(channel) } else { dead.insert(channel) }
            for id in cases.keys { cases[id]?.isDisturbed = true }
        case .channel(let channel, .failed(let id, .confirmed, _)):
            cases[id]?.failed[channel] = now
        case .channel(let channel, .retracted(let id)):
            cases[id]?.owed.remove(channel)
        case .channel(let channel, .retractionFailed(let id, _)):
            // If not even the call arrived, no channel waits for the end of the alarm.
            if cases[id]?.reached.contains(channel) == false { cases[id]?.owed.remove(channel) }
        default: break
        }
    }

    mutating func wasAway(_ duration: Duration) { slack += duration }

    /// The last decision was not written down: its consequences are gone with it.
    mutating func forget(allBut snapshot: SOSSnapshot) {
        let alarms = snapshot.watches.flatMap(\.alarms)
        for (id, one) in cases {
            guard let kept = alarms.first(where: { $0.id == id }) else {
                // An alarm raised in the lost moment, or ended in it; ended ones stay ended.
                if !one.isEnded || !one.owed.isEmpty { cases[id] = nil }
                continue
            }
            cases[id]?.isEnded = !kept.isOpen
            // A window that a person ended in the lost moment runs again.
            if let windowEnd = kept.windowEnd { cases[id]?.windowEnd = windowEnd }
            cases[id]?.isDoubted = kept.isDoubted
            cases[id]?.told = Set(kept.channelsTold)
            cases[id]?.owed = kept.isOpen ? [] : one.owed
            cases[id]?.reached = Set(kept.timeline.handedOver.keys)
            cases[id]?.hasArrived = kept.timeline.callHandedOver != nil
            // The channels that were informed again in the lost moment are unknown; from the next round on they are
            // known.
            cases[id]?.isCallReached = true
        }
        for alarm in alarms where cases[alarm.id] == nil {
            // Ended, settled and forgotten in the lost moment: open again.
            begin(alarm)
        }
        crossings = [:]
        company.forget(allBut: snapshot.watches.flatMap { $0.undated ?? [] }.last)
    }

    private mutating func begin(_ alarm: Alarm) {
        var one = Case(
            person: alarm.cause.person, isDrill: alarm.cause.isDrill, isCall: alarm.cause.isCall,
            isTest: alarm.cause.isButtonTest, crossing: alarm.cause.instant,
            confirmation: alarm.timeline.confirmation,
            windowEnd: alarm.windowEnd ?? alarm.timeline.confirmation, isDoubted: alarm.isDoubted,
            hasNotice: plan.hasEarlyNotice || alarm.isDoubted || alarm.cause.isByDoubtfulValue)
        one.told = Set(alarm.channelsTold)
        one.reached = Set(alarm.timeline.handedOver.keys)
        one.isEnded = !alarm.isOpen
        one.hasArrived = alarm.timeline.callHandedOver != nil
        one.isDisturbed = true
        cases[alarm.id] = one
    }

    mutating func restarted(from snapshot: SOSSnapshot, after absence: Absence, at now: BootInstant) {
        fix = snapshot.lastFix?.arrival.boot
        (testEnd, testPress) = (nil, nil)
        if absence == .unknown { isHurried = true }
        let confirming = snapshot.watches.flatMap(\.monitors).compactMap { monitor -> MessageID? in
            switch monitor.state {
            case .confirming(let crossing, _, _): crossing.reading.id
            case .doubting(let doubted): doubted.crossing.reading.id
            default: nil
            }
        }
        crossings = crossings.filter { confirming.contains($0.key) }
        company.restarted()
        for id in cases.keys { cases[id]?.isDisturbed = true }
        // T6: open alarms stay open; `check` verifies that with the machine.
        for (id, one) in cases where !one.isEnded {
            let isKept = snapshot.watches.flatMap(\.alarms).contains { $0.id == id && $0.isOpen }
            expect(isKept, "T6: an open alarm was not written down")
        }
    }

    /// T6: the time of absence is unknown, so no alarm waits any longer.
    mutating func resumed(at now: BootInstant) {
        guard isHurried else { return }
        for (id, one) in cases where !one.isEnded {
            cases[id]?.windowEnd = min(one.windowEnd, now)
            expect(!one.told.isEmpty, "T6: an alarm still waits after a time that nobody knows")
        }
        isHurried = false
    }

    // MARK: Actions

    mutating func note(_ action: SOSAction, at now: BootInstant) {
        switch action {
        case .noteCrossing(let crossing):
            crossings[crossing.reading.id] = now
            expect(company.mayCross(crossing.reading), "a record out of a memory is taken for a value of now")
        case .noteRecovery(let crossing): crossings[crossing.reading.id] = nil
        case .annunciate(let notice): annunciated(notice, at: now)
        case .dispatch(let order): dispatched(order, at: now)
        case .retract(let retraction):
            expect(cases[retraction.alarm] != nil, "T5: a call was taken back that nobody made")
            let told = cases[retraction.alarm]?.told ?? []
            expect(told.isSuperset(of: retraction.channels), "T5: told that it is over, and never called")
            cases[retraction.alarm]?.owed.subtract(retraction.channels)
        case .noteUnreached(let notice):
            expect(cases[notice.alarm]?.isEnded == false, "the house hears of a call for an alarm that is over")
            expect(
                cases[notice.alarm]?.called != nil, "the house hears that a call fails that nobody has ordered")
            let isNew = cases[notice.alarm].map { !$0.isReported || $0.isDisturbed } ?? false
            expect(isNew, "the house hears twice that nobody is reached")
            cases[notice.alarm]?.isReported = true
        case .noteEnding(let notice, let ending, let timeline):
            ended(notice, ending, timeline, at: now)
        default: break
        }
    }

    private mutating func annunciated(_ notice: AlarmNotice, at now: BootInstant) {
        if let reading = notice.cause.crossing?.reading.id { crossings[reading] = nil }
        guard notice.repetition == 0 else {
            // The notice itself reports the state of the call.
            if cases[notice.alarm]?.called != nil { cases[notice.alarm]?.isReported = true }
            if let one = cases[notice.alarm], one.isDoubted, !notice.isDoubted {
                cases[notice.alarm]?.isDoubted = false
                if let end = notice.windowEnd { cases[notice.alarm]?.windowEnd = min(one.windowEnd, end) }
            }
            return expect(cases[notice.alarm]?.isEnded == false, "T4: an alarm sounds after its end")
        }
        expect(cases[notice.alarm] == nil, "an alarm was raised twice")
        let delay = notice.confirmation.duration(to: now)
        expect(delay <= Promise.alarmLimit + slack, "T1: the alarm was late")
        let isDrill = drills.contains(notice.alarm.message)
        expect(notice.cause.isDrill == isDrill, "T10: a drill and an emergency were mixed up")
        if !isDrill { (testEnd, testPress) = (nil, nil) }
        if isDrill, !notice.cause.isButtonTest {
            let open = cases.values.filter { !$0.isEnded }
            expect(open.allSatisfy(\.isDrill), "T10: a drill began beside an emergency")
            expect(open.allSatisfy(\.isTest), "T10: two drills at once")
        }
        hasAlarmed = true
        cases[notice.alarm] = Case(
            person: notice.person, isDrill: isDrill, isCall: notice.cause.isCall,
            isTest: notice.cause.isButtonTest, crossing: notice.cause.instant,
            confirmation: notice.confirmation,
            windowEnd: notice.windowEnd ?? notice.confirmation, isDoubted: notice.isDoubted,
            hasNotice: plan.hasEarlyNotice || notice.isDoubted || notice.cause.isByDoubtfulValue)
        if notice.isDoubted, let reading = notice.cause.crossing?.reading, !isHurried {
            expect(
                notice.windowEnd.map { notice.cause.instant.duration(to: $0) >= .seconds(60) } ?? false,
                "T12: a doubtful value alone calls help before the room could answer")
            expect(
                reading.sampling == .spot || notice.cause.instant.duration(to: now) >= .seconds(4),
                "T12: the room is asked about an artefact")
        }
    }

    private mutating func dispatched(_ order: DispatchOrder, at now: BootInstant) {
        guard let one = cases[order.alarm], !one.isEnded else {
            return expect(false, "T4: help was called for an alarm that is over or never was")
        }
        expect(order.isDrill == one.isDrill, "T10: a call does not say whether it is a drill")
        if one.told.isEmpty {
            let delay = one.crossing.duration(to: now)
            expect(delay <= Promise.dispatchLimit - Promise.reserve + slack, "T2: help was called late")
        }
        switch order.stage {
        case .pending:
            expect(one.hasNotice, "T3: an early notice that nobody asked for")
            expect(now < one.windowEnd, "T3: an early notice after the window")
        case .confirmed:
            expect(now >= one.windowEnd || isHurried, "help was called while it could still be cancelled")
            // A value that supports the others may have arrived in a moment that was lost, or after the call.
            expect(
                order.certainty == .possible || !one.isDoubted || one.called != nil || one.isDisturbed,
                "T12: a call by doubtful values alone is called certain")
        }
        checkLocation(order.location, at: now)
        cases[order.alarm]?.told.formUnion(order.channels)
        if order.stage == .confirmed, one.called == nil { cases[order.alarm]?.called = now }
        for channel in order.channels {
            if let since = one.failed[channel], !one.isCallReached { checkRetry(since, at: now) }
            cases[order.alarm]?.failed[channel] = nil
        }
        if order.stage == .confirmed, order.round > one.round {
            cases[order.alarm]?.round = order.round
            cases[order.alarm]?.isCallReached = false
        }
    }

    private mutating func checkRetry(_ since: BootInstant, at now: BootInstant) {
        expect(
            since.duration(to: now) <= plan.ways.handoverLimit + slack,
            "T4: a call that failed and that nobody has is not tried again")
    }

    private mutating func checkLocation(_ location: AlarmLocation, at now: BootInstant) {
        switch (location, fix) {
        case (.installed, nil): break
        case (.fix(let seen, of: .box, _), let last?):
            let isFresh = last.duration(to: now) <= AlarmLocation.freshness
            expect(seen.arrival.boot == last && isFresh, "T9: an old fix is called fresh")
        case (.lastKnown(let seen, of: .box, let age), let last?):
            expect(seen.arrival.boot == last && age == last.duration(to: now), "T9: a wrong age of the fix")
        default: expect(false, "T9: not the best location there is")
        }
    }

    private mutating func ended(
        _ notice: AlarmNotice, _ ending: AlarmEnding, _ timeline: AlarmTimeline, at now: BootInstant
    ) {
        expect(cases[notice.alarm]?.isEnded == false, "T4: an alarm ended twice, or never began")
        cases[notice.alarm]?.isEnded = true
        var owed = cases[notice.alarm]?.told ?? []
        if case .accepted(_, let channel, _) = ending {
            expect(owed.contains(channel), "T4: accepted by somebody who was never called")
            owed.remove(channel)
            cases[notice.alarm]?.acceptedBy = channel
        }
        if case .aborted(ExploredHouse.press, _, _) = ending, let one = cases[notice.alarm], one.isCall {
            expect(!one.hasArrived, "a press took back a call that had arrived")
            expect(one.crossing.duration(to: now) >= .seconds(10), "the button that called took its call back")
        }
        if case .lapsed = ending {
            expect(cases[notice.alarm]?.isDrill == true, "T4: an emergency ended by nobody")
        }
        if ending.act.means == .gateway, let one = cases[notice.alarm], !one.isDrill {
            expect(one.isDoubted && one.called == nil, "T4: the gateway ended an alarm that is sure, or called")
        }
        cases[notice.alarm]?.owed = owed
        let course =
            [timeline.crossing, timeline.confirmation]
            + [timeline.dispatched.values.min(), now].compactMap(\.self)
        expect(course == course.sorted(), "T8: a time line that runs backwards")
    }

    // MARK: After each step

    mutating func check(_ machine: SOSMachine, at now: BootInstant) {
        let open = Set(cases.filter { !$0.value.isEnded }.keys)
        expect(
            open == Set(machine.openAlarms.map(\.id)),
            "T4: the machine's open alarms are not those that are open")
        let openCases = cases.values.filter { !$0.isEnded }
        expect(
            openCases.allSatisfy(\.isDrill) || !openCases.contains(where: \.isDrill),
            "T10: a drill goes on beside an emergency")
        if !open.isEmpty {
            let isAsking = cases.values.contains { !$0.isEnded && $0.isDoubted }
            let limit = isAsking ? DoubtfulValues.measuringLimit : max(plan.ways.repeatInterval, .seconds(10))
            let latest = now.advanced(by: limit)
            expect(
                machine.nextDeadline.map { $0 <= latest } ?? false,
                "T4: an open alarm for which nothing will be done")
        }
        for one in cases.values where !one.isEnded && one.told.isEmpty {
            let age = one.crossing.duration(to: now)
            expect(
                age <= Promise.dispatchLimit - Promise.reserve + slack, "T2: help has not been called in time")
        }
        for one in cases.values where !one.isEnded && !one.isCallReached {
            for since in one.failed.values { checkRetry(since, at: now) }
        }
        for one in cases.values where !one.isEnded && !one.isAcknowledged { checkReach(one, at: now) }
        for crossing in crossings.values {
            expect(
                crossing.duration(to: now) <= patience + slack,
                "a crossing was neither believed nor taken back")
        }
        if let since = company.waiting, !hasAlarmed {
            expect(
                since.duration(to: now) < .seconds(1) + slack,
                "a value without a time was not judged")
        }
        for one in cases.values where one.isEnded {
            expect(one.owed.isEmpty, "T5: somebody who was called is not told that it is over")
        }
        // An ended alarm that was reported is not relevant any more, unless its acceptance can still be taken back: two
        // histories that differ in it alone are one.
        let owing = Set(machine.snapshot.watches.flatMap(\.alarms).map(\.id))
        cases = cases.filter { !$0.value.isEnded || $0.value.acceptedBy != nil || owing.contains($0.key) }
    }

    /// Checks the channels of an alarm that no channel has acknowledged yet.
    private mutating func checkReach(_ one: Case, at now: BootInstant) {
        let channels = Set(plan.ways.channels)
        let live = channels.subtracting(dead)
        let isEveryoneTold = one.told == channels
        // At once, and so within 5 s of the crossing, as the first call is.
        expect(
            one.told.isEmpty || isEveryoneTold || !one.told.isDisjoint(with: live),
            "T2: only dead channels were told")
        let age = one.crossing.duration(to: now)
        if !one.isDisturbed, age >= Promise.secondChannelAfter {
            expect(
                isEveryoneTold || one.told.intersection(live).count >= min(2, live.count),
                "T2: the first channel does not answer, and no second one is told in time")
        }
        if let called = one.called, !one.isDisturbed {
            expect(
                one.isReported || called.duration(to: now) < Promise.reportLimit + slack,
                "the house does not hear that nobody is reached")
        }
    }

    private mutating func expect(_ holds: Bool, _ promise: String) {
        if !holds && !broken.contains(promise) { broken.append(promise) }
    }
}

extension AlarmCause {
    fileprivate var isCall: Bool {
        if case .signal(let signal) = self { signal.kind == .sosButton } else { false }
    }

    fileprivate var isByDoubtfulValue: Bool { crossing.map { !$0.reading.doubts.isEmpty } ?? false }
}
