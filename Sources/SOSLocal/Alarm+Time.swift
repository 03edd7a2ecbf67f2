public import GatewayModel

/// What time does to an alarm.
extension Alarm {
    /// How often a drill is repeated before it lapses.
    static let drillRounds = 3

    /// All that is due at `now`, in the order in which it was due.
    public mutating func tick(at now: BootInstant) -> [Step] {
        var steps: [Step] = []
        while let due = deadline, due <= now { steps += pass(due, at: now) }
        return steps
    }

    /// One thing that was due at `due`; moves the deadline on.
    private mutating func pass(_ due: BootInstant, at now: BootInstant) -> [Step] {
        switch phase {
        case .window(let end, let notice?) where notice < end:
            phase = .window(end: end, notice: nil)
            return tell(.pending, round: 1)
        case .window(let end, _):
            return call(at: end, now)
        case .calling(let calling) where due >= calling.nextRound:
            return callAgain(round: calling.round + 1, at: now)
        case .calling(var calling):
            reach = min(reach + 1, channels.count)
            calling.nextTry = now.advanced(by: ways.handoverLimit)
            phase = .calling(calling)
            return tell(.confirmed, round: calling.round, again: false)
        case .ended:
            guard let last = lastWord else { return [] }
            lastWord?.nextTry = nil
            lastWord?.failed = []
            return [.retract(last.failed, last.ending)]
        }
    }

    /// What still waits for its window is dispatched now: the gateway is being stopped and nobody would be
    /// there at the window's end, or it was away and cannot tell for how long.
    public mutating func hurry(at now: BootInstant) -> [Step] {
        guard case .window = phase, priority == .high else { return [] }
        return call(at: now, now)
    }

    /// The gateway is back. The house hears of the alarm again; an order that no machine has acknowledged
    /// may have died with the gateway and is given again.
    public mutating func resume(at now: BootInstant) -> [Step] {
        timeline.restarts += 1
        if isOpen { repetition += 1 }
        let again: [Step] = isOpen ? [.annunciate(repetition: repetition)] : []
        for channel in channels where told[channel]?.state == .trying { told[channel]?.state = .failed }
        switch phase {
        case .window(let end, nil) where now < end && !told.isEmpty:
            return again + tell(.pending, round: 1, again: false)
        case .window: return again
        case .calling(let calling): return again + tell(.confirmed, round: calling.round, again: false)
        case .ended: return lastWord.map { [.retract($0.owed, $0.ending)] } ?? []
        }
    }

    private mutating func call(at instant: BootInstant, _ now: BootInstant) -> [Step] {
        phase = .calling(
            Calling(
                round: 1, nextRound: instant.advanced(by: ways.repeatInterval),
                nextTry: channels.isEmpty ? nil : now.advanced(by: ways.handoverLimit)))
        return tell(.confirmed, round: 1)
    }

    /// A channel that is still trying is not told again: it has the order and will deliver it.
    private mutating func callAgain(round: Int, at now: BootInstant) -> [Step] {
        guard !cause.isDrill || round <= Self.drillRounds else { return end(.lapsed(at: now), at: now) }
        reach = min(reach + 1, channels.count)
        repetition += 1
        phase = .calling(
            Calling(
                round: round, nextRound: now.advanced(by: ways.repeatInterval),
                nextTry: channels.isEmpty ? nil : now.advanced(by: ways.handoverLimit)))
        let isQuiet = priority == .low
        return (isQuiet ? [] : [.annunciate(repetition: repetition)]) + tell(.confirmed, round: round)
    }

    /// - Parameters:
    ///   - again: also those who have acknowledged the same word before.
    ///   - resting: has just failed, and is left alone until the next try.
    mutating func tell(
        _ stage: DispatchStage, round: Int, again: Bool = true, except resting: ChannelID? = nil
    ) -> [Step] {
        let tellNow = channels.prefix(reach).filter { channel in
            guard channel != resting else { return false }
            guard let word = told[channel], word.stage == stage else { return true }
            return word.state == .failed || again && word.state == .handedOver
        }
        for channel in tellNow { told[channel] = Word(stage: stage, state: .trying) }
        return tellNow.isEmpty ? [] : [.dispatch(Array(tellNow), stage, round: round)]
    }
}
