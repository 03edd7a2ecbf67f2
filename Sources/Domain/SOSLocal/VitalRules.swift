import GatewayModel

/// The rules on one person's readings: limits per device, the combined score, a sensor that falls silent.
struct VitalRules: Hashable, Sendable {
    enum Verdict: Hashable, Sendable {
        case crossed(Crossing)
        /// Back inside before it was believed.
        case recovered(Crossing)
        case believed(AlarmCause, AlarmPriority, at: BootInstant)
        /// Doubtful values alone have crossed a limit: the room is to be asked.
        case doubted(Crossing, at: BootInstant)
        /// Back inside after the room was asked.
        case receded(Crossing, at: BootInstant)
    }

    struct Source: Hashable, Sendable {
        let device: DeviceID
        let kind: QuantityKind

        init(of reading: Reading) {
            device = reading.device
            kind = reading.quantity.kind
        }
    }

    private struct Monitored: Hashable {
        let device: DeviceID
        var monitor: LimitMonitor
    }

    private(set) var plan: SOSPlan
    /// Per device, since two that measure the same must not argue each other down: one that is stuck at
    /// a normal value would clear every crossing that the other sees.
    private var monitors: [Monitored] = []
    private(set) var newest: [Source: Reading] = [:]
    /// The newest that nothing doubts. A pulse that is irregular is a finding, and its pressure good enough for a score.
    private var undoubted: [Source: Reading] = [:]
    private(set) var trend = Trend()
    private var silence: SilenceWatch?
    var earlyWarning: EarlyWarningMonitor?
    /// Until when the person exercises, as somebody has said.
    private(set) var saidEnd: BootInstant?
    /// Until when a run of the person's own takes.
    private(set) var runEnd: BootInstant?
    /// They have said that they have stopped, in a run that goes on.
    private(set) var hasStopped = false
    /// When the person last stopped to exercise.
    private(set) var restingSince: BootInstant?

    init(plan: SOSPlan) {
        self.plan = plan
        silence = plan.silence.map(SilenceWatch.init)
        earlyWarning = plan.earlyWarning.map(EarlyWarningMonitor.init)
    }

    /// Whether the sensor says that nobody wears it: no contact, or a heart rate that no living person has.
    static func saysTakenOff(_ reading: Reading) -> Bool {
        guard reading.currency != .history else { return false }
        return reading.contact == .lost
            || reading.quantity.kind == .heartRate && !reading.quantity.isPlausible
    }

    /// The newest reading of the same device and kind, or this one.
    func newest(like reading: Reading) -> Reading { newest[Source(of: reading)] ?? reading }

    /// The person exercises until then.
    var exerciseEnd: BootInstant? { [saidEnd, runEnd].compactMap(\.self).max() }

    var deadline: BootInstant? {
        (monitors.map(\.monitor.deadline) + [exerciseEnd, silence?.deadline, earlyWarning?.deadline])
            .compactMap(\.self).min()
    }

    // MARK: Readings and time

    /// A plausible reading of now, of a sensor that touches the skin.
    /// - Parameter instant: since when it is known to be of now: its arrival, or later.
    mutating func judge(_ reading: Reading, at instant: BootInstant) -> [Verdict] {
        let isFirst = newest.updateValue(reading, forKey: Source(of: reading)) == nil
        let isDoubtful = !reading.doubts.subtracting(.irregularPulse).isEmpty
        if !isDoubtful { undoubted[Source(of: reading)] = reading }
        trend.add(reading)
        silence?.heard(reading)
        if isFirst { watch(reading.device) }
        let limits = monitors.indices.flatMap { index -> [Verdict] in
            guard monitors[index].device == reading.device,
                monitors[index].monitor.rule.kind == reading.quantity.kind
            else { return [] }
            let isSupported = isSupported(reading, against: monitors[index].monitor.rule)
            return Self.verdicts(
                monitors[index].monitor.judge(reading, at: instant, isSupported: isSupported))
        }
        if !isDoubtful { judgeScore(completedBy: reading) }
        return limits
    }

    /// Whether another sensor, that nothing doubts, has broken the rule just now.
    private func isSupported(_ reading: Reading, against rule: LimitRule) -> Bool {
        guard !reading.doubts.isEmpty, rule.isBroken(by: reading.quantity.value) else { return false }
        return undoubted.contains { source, other in
            source.kind == rule.kind && source.device != reading.device && other.doubts.isEmpty
                && rule.isBroken(by: other.quantity.value)
                && other.arrival.boot.duration(to: reading.arrival.boot)
                    <= DoubtfulValues.supportTime(of: other.sampling)
        }
    }

    /// The sensor says that nobody wears it: a technical condition, and no silence.
    mutating func takenOff(_ device: DeviceID, at now: BootInstant) -> [Verdict] {
        silence?.takenOff(device)
        // A measurement while it came off is no part of a score.
        newest = newest.filter { $0.key.device != device }
        undoubted = undoubted.filter { $0.key.device != device }
        return monitors.indices.filter { monitors[$0].device == device }
            .flatMap { Self.verdicts(monitors[$0].monitor.takenOff(at: now)) }
    }

    mutating func tick(at now: BootInstant) -> [Verdict] {
        if let end = exerciseEnd, now >= end { exercise(until: nil, at: end) }
        // With each reading that anybody sends: hardly one of them has waited long enough.
        let due = monitors.indices.filter { monitors[$0].monitor.isDue(at: now) }
        return due.flatMap { Self.verdicts(monitors[$0].monitor.tick(at: now)) }
            + tickScore(at: now) + tickSilence(at: now)
    }

    private mutating func tickSilence(at now: BootInstant) -> [Verdict] {
        guard let priority = plan.silence?.priority else { return [] }
        let silent = silence?.tick(at: now) ?? []
        return silent.map { .believed(.silence($0), priority, at: $0.arrival.boot) }
    }

    /// Believes the crossings that wait.
    mutating func hurry(at now: BootInstant) -> [Verdict] {
        monitors.indices.flatMap { Self.verdicts(monitors[$0].monitor.hurry(at: now)) }
    }

    /// Other limits hold from now on. A crossing of a limit that no longer holds is forgotten, one of a limit
    /// that holds on goes on.
    /// A person that reports the end of exercise has stopped, also in a run that goes on.
    mutating func exercise(until end: BootInstant?, at now: BootInstant) {
        exercise(at: now) {
            $0.hasStopped = end == nil && ($0.runEnd != nil || $0.hasStopped)
            $0.saidEnd = end
            if end == nil { $0.runEnd = nil }
        }
    }

    mutating func ownRun(until end: BootInstant?, at now: BootInstant) {
        exercise(at: now) {
            if end == nil { $0.hasStopped = false }
            $0.runEnd = $0.hasStopped ? nil : end
        }
    }

    private mutating func exercise(at now: BootInstant, _ change: (inout VitalRules) -> Void) {
        let wasExercising = exerciseEnd != nil
        change(&self)
        saidEnd = saidEnd.flatMap { $0 > now ? $0 : nil }
        runEnd = runEnd.flatMap { $0 > now ? $0 : nil }
        if wasExercising, exerciseEnd == nil { restingSince = now }
        if exerciseEnd != nil { earlyWarning?.interrupt(at: now) }
        let rules = rulesInForce
        monitors.removeAll { !rules.contains($0.monitor.rule) }
        for device in Set(newest.keys.map(\.device)) { watch(device) }
    }

    /// Other figures hold from now on. A crossing that a limit has begun goes on under the one in its place: a
    /// crossing is not forgotten because somebody far away moved the limit meanwhile.
    mutating func follow(_ plan: SOSPlan) {
        if plan.silence != self.plan.silence { silence = plan.silence.map(SilenceWatch.init) }
        if plan.earlyWarning != self.plan.earlyWarning {
            earlyWarning = plan.earlyWarning.map(EarlyWarningMonitor.init)
        }
        self.plan = plan
        let earlier = monitors
        monitors = []
        for device in Set(earlier.map(\.device) + newest.keys.map(\.device)) { watch(device) }
        for index in monitors.indices {
            let (device, name) = (monitors[index].device, monitors[index].monitor.rule.name)
            let before = earlier.first { $0.device == device && $0.monitor.rule.name == name }
            if let before { monitors[index].monitor.resume(before.monitor.state) }
        }
    }

    /// - Parameter isReceded: by values back inside, and not by a person.
    mutating func alarmEnded(_ cause: AlarmCause, at now: BootInstant, isReceded: Bool) {
        if case .earlyWarning = cause {
            earlyWarning?.alarmEnded(rearmedAt: now.advanced(by: plan.rearmInterval))
        }
        guard let rule = cause.crossing?.rule else { return }
        for index in monitors.indices {
            let other = monitors[index].monitor.rule
            // Also with another figure, where exercise or the settings have changed it meanwhile. A warning
            // may not have been told beside it, and is not to wait for an end of its own.
            guard other.isSameSide(as: rule), other.priority <= rule.priority else { continue }
            monitors[index].monitor.alarmEnded(at: now, isReceded: isReceded)
        }
    }

    private var rulesInForce: [LimitRule] { plan.rules(isExercising: exerciseEnd != nil) }

    private mutating func watch(_ device: DeviceID) {
        let known = monitors.filter { $0.device == device }.map(\.monitor.rule)
        monitors += rulesInForce.filter { !known.contains($0) }.map {
            Monitored(device: device, monitor: LimitMonitor(rule: $0, rearmInterval: plan.rearmInterval))
        }
    }

    /// Knows nothing of the rest: while it holds that, each change of a monitor would copy all of them.
    private static func verdicts(_ decisions: [LimitMonitor.Decision]) -> [Verdict] {
        decisions.map { decision in
            switch decision {
            case .crossed(let crossing): .crossed(crossing)
            case .recovered(let crossing): .recovered(crossing)
            case .confirmed(let crossing, let instant):
                .believed(.crossing(crossing), crossing.rule.priority, at: instant)
            case .doubted(let crossing, let instant): .doubted(crossing, at: instant)
            case .receded(let crossing, let instant): .receded(crossing, at: instant)
            }
        }
    }

    // MARK: Over a restart

    /// A rule without an open alarm must not wait for the alarm's end for ever.
    mutating func release(allBut open: Set<String>, at now: BootInstant) {
        for index in monitors.indices where !open.contains(monitors[index].monitor.rule.name) {
            monitors[index].monitor.alarmEnded(at: now)
        }
    }

    var monitorsToKeep: [SOSSnapshot.Monitor] {
        monitors.filter { $0.monitor.state != .armed }.map {
            SOSSnapshot.Monitor(device: $0.device, rule: $0.monitor.rule.name, state: $0.monitor.state)
        }
    }

    /// The limits are those of the settings, which may have changed; a rule that is no longer there has
    /// nothing to go on with. When a sensor was last heard is not kept, which would be written with each
    /// reading: a restart tells by itself which wearables are away.
    ///
    /// Exercise is over where nobody knows the time between: the limits at rest are the safe ones.
    mutating func resume(_ earlier: SOSSnapshot.Watch, after absence: Absence) {
        saidEnd = absence == .known ? earlier.exerciseEnd : nil
        runEnd = absence == .known ? earlier.runEnd : nil
        hasStopped = earlier.hasStopped ?? false
        if let state = earlier.earlyWarning { earlyWarning?.resume(state) }
        for kept in earlier.monitors {
            watch(kept.device)
            for index in monitors.indices
            where monitors[index].device == kept.device && monitors[index].monitor.rule.name == kept.rule {
                monitors[index].monitor.resume(kept.state)
            }
        }
    }
}

/// The combined score over a person's newest readings, whichever device they are from.
extension VitalRules {
    /// Time for which a reading describes a person. A stream is missed after 5 minutes; a single measurement
    /// counts for an hour, as often as NEWS2 asks for a new set at 5 points.
    private static func validity(of sampling: Reading.Sampling) -> Duration {
        switch sampling {
        case .stream: .seconds(300)
        case .spot: .seconds(3_600)
        }
    }

    var earlyWarningToKeep: EarlyWarningMonitor.State? {
        earlyWarning.flatMap { $0.state == .watching ? nil : $0.state }
    }

    /// Not while the person exercises, which alone raises the score.
    private mutating func judgeScore(completedBy reading: Reading) {
        guard let rule = earlyWarning?.rule, exerciseEnd == nil,
            EarlyWarningScore.kinds.contains(reading.quantity.kind)
        else { return }
        let score = score(by: rule, at: reading.arrival.boot)
        earlyWarning?.judge(score, completedBy: reading)
    }

    private mutating func tickScore(at now: BootInstant) -> [Verdict] {
        guard let rule = earlyWarning?.rule, let deadline = earlyWarning?.deadline, now >= deadline
        else { return [] }
        let score = score(by: rule, at: deadline)
        let warning = earlyWarning?.tick(score, at: now)
        return warning.map { [.believed(.earlyWarning($0), rule.priority, at: deadline)] } ?? []
    }

    private func score(by rule: EarlyWarningRule, at now: BootInstant) -> EarlyWarningScore {
        let valid = undoubted.values.filter { reading in
            reading.arrival.boot.duration(to: now) <= Self.validity(of: reading.sampling)
                && reading.arrival.boot >= restingSince ?? reading.arrival.boot
        }
        let values = valid.sorted { ($0.arrival.boot, $0.device.text) < ($1.arrival.boot, $1.device.text) }
            .map { ($0.quantity.kind, $0.quantity.value) }
        return EarlyWarningScore(
            EarlyWarningScore.Observations(
                values: Dictionary(values) { $1 }, isOnOxygen: rule.isOnOxygen,
                usesSecondScale: rule.usesSecondScale))
    }
}
