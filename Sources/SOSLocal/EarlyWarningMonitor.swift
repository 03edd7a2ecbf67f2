import GatewayModel

/// The combined score of one person, from the first reading that brings it to its limit to the end of the
/// bout. It warns once a bout.
struct EarlyWarningMonitor: Hashable, Sendable {
    /// Below the limit for as long, a bout is over. Shorter, a pulse that swings about a band would warn with
    /// each swing.
    static let calm = Duration.seconds(300)

    enum State: Hashable, Codable, Sendable {
        case watching
        /// Since this reading the score has not been below the limit; within a bout that was warned of already
        /// it has risen, or its time is over.
        case reached(Reading, within: Bout?)
        case warned(Bout)
    }

    struct Bout: Hashable, Codable, Sendable {
        /// While the alarm is open the newest score, then that at its end.
        var points: Int
        /// Nil while the alarm is open. From then on the same bout may warn again.
        var rearmed: BootInstant?
        var calmSince: BootInstant?
    }

    let rule: EarlyWarningRule
    private(set) var state = State.watching

    init(_ rule: EarlyWarningRule) {
        self.rule = rule
    }

    /// When `tick` has to be called at the latest.
    var deadline: BootInstant? {
        guard case .reached(let reading, _) = state else { return nil }
        return reading.arrival.boot.advanced(by: rule.confirmation)
    }

    /// - Parameters:
    ///   - score: with `reading` in it.
    mutating func judge(_ score: EarlyWarningScore, completedBy reading: Reading) {
        let isReached = score.warns(from: rule.limit)
        switch state {
        case .watching: if isReached { state = .reached(reading, within: nil) }
        case .reached: if !isReached { fallBack(at: reading.arrival.boot) }
        case .warned(let bout): judge(score, isReached, reading, bout)
        }
    }

    private mutating func judge(
        _ score: EarlyWarningScore, _ isReached: Bool, _ reading: Reading, _ bout: Bout
    ) {
        let now = reading.arrival.boot
        var bout = bout
        let isOver = bout.calmSince.map { $0.duration(to: now) >= Self.calm } ?? false
        // While its alarm is open, a bout does not end: somebody has still to look after it.
        if isOver, bout.rearmed != nil {
            state = isReached ? .reached(reading, within: nil) : .watching
            return
        }
        bout.calmSince = isReached ? nil : bout.calmSince ?? now
        let mayWarnAgain = bout.rearmed.map { now >= $0 || score.points > bout.points } ?? false
        if bout.rearmed == nil { bout.points = score.points }
        state = isReached && mayWarnAgain ? .reached(reading, within: bout) : .warned(bout)
    }

    /// To where it was before it was reached.
    private mutating func fallBack(at now: BootInstant) {
        guard case .reached(_, let bout) = state else { return }
        state = bout.map { .warned(Bout(points: $0.points, rearmed: $0.rearmed, calmSince: now)) } ?? .watching
    }

    /// - Parameter score: as of the deadline, of what was still valid then.
    /// - Returns: what to warn of, once it has held for long enough.
    mutating func tick(_ score: EarlyWarningScore, at now: BootInstant) -> EarlyWarning? {
        guard case .reached(let reading, _) = state, let deadline, now >= deadline else { return nil }
        guard score.warns(from: rule.limit) else {
            fallBack(at: deadline)
            return nil
        }
        state = .warned(Bout(points: score.points))
        return EarlyWarning(
            points: score.points, parameters: score.parameters, limit: rule.limit, reading: reading)
    }

    /// The person exercises: what was just seen says nothing of them at rest.
    mutating func interrupt(at now: BootInstant) {
        fallBack(at: now)
    }

    mutating func alarmEnded(rearmedAt instant: BootInstant) {
        guard case .warned(var bout) = state else { return }
        bout.rearmed = instant
        state = .warned(bout)
    }

    mutating func resume(_ earlier: State) {
        state = earlier
    }
}
