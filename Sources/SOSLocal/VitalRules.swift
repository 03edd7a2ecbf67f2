import GatewayModel

/// The rules on one person's readings: limits per device, the combined score, a sensor that falls silent.
struct VitalRules: Hashable, Sendable {
    enum Verdict: Hashable, Sendable {
        case crossed(Crossing)
        /// Back inside before it was believed.
        case recovered(Crossing)
        case believed(AlarmCause, AlarmPriority, at: BootInstant)
    }

    private struct Source: Hashable {
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

    private let plan: SOSPlan
    /// Per device, since two that measure the same must not argue each other down: one that is stuck at
    /// a normal value would clear every crossing that the other sees.
    private var monitors: [Monitored] = []
    private var newest: [Source: Reading] = [:]
    private(set) var trend = Trend()
    private(set) var exerciseEnd: BootInstant?

    init(plan: SOSPlan) {
        self.plan = plan
    }

    static func reasonNotToJudge(_ reading: Reading) -> SOSAction.Unjudged? {
        if reading.currency != .live { return .history }
        if reading.contact == .lost { return .contactLost }
        if !reading.quantity.isPlausible { return .implausible }
        return nil
    }

    /// The newest reading of the same device and kind, or this one.
    func newest(like reading: Reading) -> Reading { newest[Source(of: reading)] ?? reading }

    var deadline: BootInstant? {
        (monitors.compactMap(\.monitor.deadline) + [exerciseEnd].compactMap(\.self)).min()
    }

    // MARK: Readings and time

    /// A live, plausible reading of a sensor that touches the skin.
    mutating func judge(_ reading: Reading) -> [Verdict] {
        newest[Source(of: reading)] = reading
        trend.add(reading)
        watch(reading.device)
        return monitors.indices.flatMap { index -> [Verdict] in
            guard monitors[index].device == reading.device,
                monitors[index].monitor.rule.kind == reading.quantity.kind
            else { return [] }
            return verdicts(monitors[index].monitor.judge(reading))
        }
    }

    mutating func tick(at now: BootInstant) -> [Verdict] {
        if let end = exerciseEnd, now >= end { exercise(until: nil, at: now) }
        return monitors.indices.flatMap { verdicts(monitors[$0].monitor.tick(at: now)) }
    }

    /// Believes what waits to be believed.
    mutating func hurry(at now: BootInstant) -> [Verdict] {
        monitors.indices.flatMap { verdicts(monitors[$0].monitor.hurry(at: now)) }
    }

    /// Other limits hold from now on. A crossing of a limit that no longer holds is forgotten, one of a limit
    /// that holds on goes on.
    mutating func exercise(until end: BootInstant?, at now: BootInstant) {
        exerciseEnd = end.flatMap { $0 > now ? $0 : nil }
        let rules = rulesInForce
        monitors.removeAll { !rules.contains($0.monitor.rule) }
        for device in Set(newest.keys.map(\.device)) { watch(device) }
    }

    mutating func alarmEnded(_ cause: AlarmCause, at now: BootInstant) {
        guard let rule = cause.crossing?.rule else { return }
        for index in monitors.indices where monitors[index].monitor.rule == rule {
            monitors[index].monitor.alarmEnded(at: now)
        }
    }

    private var rulesInForce: [LimitRule] { plan.rules(isExercising: exerciseEnd != nil) }

    private mutating func watch(_ device: DeviceID) {
        let known = monitors.filter { $0.device == device }.map(\.monitor.rule)
        monitors += rulesInForce.filter { !known.contains($0) }.map {
            Monitored(device: device, monitor: LimitMonitor(rule: $0, rearmInterval: plan.rearmInterval))
        }
    }

    private func verdicts(_ decisions: [LimitMonitor.Decision]) -> [Verdict] {
        decisions.map { decision in
            switch decision {
            case .crossed(let crossing): .crossed(crossing)
            case .recovered(let crossing): .recovered(crossing)
            case .confirmed(let crossing, let instant):
                .believed(.crossing(crossing), crossing.rule.priority, at: instant)
            }
        }
    }

    // MARK: Over a restart

    var monitorsToKeep: [SOSSnapshot.Monitor] {
        monitors.filter { $0.monitor.state != .armed }.map {
            SOSSnapshot.Monitor(device: $0.device, rule: $0.monitor.rule.name, state: $0.monitor.state)
        }
    }

    /// The limits are those of the settings, which may have changed; a rule that is no longer there has
    /// nothing to go on with.
    mutating func resume(_ earlier: SOSSnapshot.Watch) {
        exerciseEnd = earlier.exerciseEnd
        for kept in earlier.monitors {
            watch(kept.device)
            for index in monitors.indices
            where monitors[index].device == kept.device && monitors[index].monitor.rule.name == kept.rule {
                monitors[index].monitor.resume(kept.state)
            }
        }
    }
}
