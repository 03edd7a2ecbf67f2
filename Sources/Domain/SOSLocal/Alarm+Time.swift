public import GatewayModel

// MARK: Time

extension Alarm {
    /// How often a drill is repeated before it lapses.
    private static let drillRounds = 3
    /// The test of a button asks nobody for an answer: the ways have it once.
    private static let testRounds = 1

    /// All that is due at `now`, in the order in which it was due.
    /// - Parameter dead: the channels that are known to be dead.
    public mutating func tick(at now: BootInstant, dead: Set<ChannelID> = []) -> [Step] {
        var steps: [Step] = []
        while let due = deadline, due <= now { steps += pass(due, at: now, dead) }
        return steps
    }

    /// One thing that was due at `due`; moves the deadline on.
    private mutating func pass(_ due: BootInstant, at now: BootInstant, _ dead: Set<ChannelID>) -> [Step] {
        switch phase {
        // Late enough, after an absence, the call itself is due and no notice of it.
        case .window(let end, _, _) where due >= end || now >= end:
            return call(at: end, now, dead)
        case .window(let end, _?, _):
            phase = .window(end: end, notice: nil, nextTry: nextTry(after: now))
            reachLive(dead)
            return tell(.pending, round: 1)
        case .window(let end, nil, _):
            phase = .window(end: end, notice: nil, nextTry: now.advanced(by: ways.handoverLimit))
            reachOneMore(dead)
            return tell(.pending, round: 1, again: false)
        case .calling(let calling) where due >= calling.nextRound:
            return callAgain(round: calling.round + 1, at: now, dead)
        case .calling(var calling) where calling.reportDue.map { due >= $0 } ?? false:
            calling.reportDue = nil
            phase = .calling(calling)
            return [.reportUnreached]
        case .calling(var calling):
            calling.nextTry = now.advanced(by: ways.handoverLimit)
            phase = .calling(calling)
            reachOneMore(dead)
            return tell(.confirmed, round: calling.round, again: false) + reportIfUnreachable(dead)
        case .ended:
            guard let last = lastWord else { return [] }
            lastWord?.nextTry = nil
            lastWord?.failed = []
            return [.retract(last.failed, last.ending)]
        }
    }

    /// A call that still waits for its window is dispatched now: the gateway is being stopped and nobody would
    /// be there at the window's end, or it was away and cannot tell for how long.
    public mutating func hurry(at now: BootInstant, dead: Set<ChannelID> = []) -> [Step] {
        guard case .window = phase, priority == .high else { return [] }
        return call(at: now, now, dead)
    }

    /// The gateway is back. The house hears of the alarm again; an order that no machine has acknowledged
    /// may have died with the gateway and is given again.
    public mutating func resume(at now: BootInstant, dead: Set<ChannelID> = []) -> [Step] {
        timeline.restarts += 1
        if isOpen { repetition += 1 }
        let again: [Step] = isOpen ? [.annunciate(repetition: repetition)] : []
        for channel in channels where told[channel]?.state == .trying { told[channel]?.state = .failed }
        switch phase {
        case .window(let end, nil, _) where now < end && !told.isEmpty:
            reachLive(dead)
            return again + tell(.pending, round: 1, again: false)
        case .window: return again
        case .calling(var calling):
            if !channels.isEmpty, timeline.callHandedOver == nil {
                calling.reportDue = now.advanced(by: Promise.reportLimit)
                phase = .calling(calling)
            }
            reachLive(dead)
            return again + tell(.confirmed, round: calling.round, again: false)
        case .ended: return lastWord.map { [.retract($0.owed, $0.ending)] } ?? []
        }
    }

    private mutating func call(at instant: BootInstant, _ now: BootInstant, _ dead: Set<ChannelID>) -> [Step] {
        timeline.callOrdered = now
        phase = .calling(
            Calling(
                round: 1, nextRound: instant.advanced(by: ways.repeatInterval), nextTry: nextTry(after: now),
                reportDue: channels.isEmpty ? nil : now.advanced(by: Promise.reportLimit)))
        reachLive(dead)
        return tell(.confirmed, round: 1) + reportIfUnreachable(dead)
    }

    /// A channel that is still trying is not told again: it has the order and will deliver it.
    private mutating func callAgain(round: Int, at now: BootInstant, _ dead: Set<ChannelID>) -> [Step] {
        guard !cause.isDrill || round <= (cause.isButtonTest ? Self.testRounds : Self.drillRounds) else {
            return end(.lapsed(at: now), at: now)
        }
        reachOneMore(dead)
        repetition += 1
        // The repetition itself tells the house how far the call is.
        phase = .calling(
            Calling(
                round: round, nextRound: now.advanced(by: ways.repeatInterval), nextTry: nextTry(after: now),
                reportDue: nil))
        let isQuiet = priority == .low
        return (isQuiet ? [] : [.annunciate(repetition: repetition)]) + tell(.confirmed, round: round)
    }

    /// When one more channel is told, unless a machine has acknowledged by then: after the limit for a hand-over,
    /// and early enough that a second channel still has the call within the promise.
    private func nextTry(after now: BootInstant) -> BootInstant? {
        guard !channels.isEmpty else { return nil }
        let limit = now.advanced(by: ways.handoverLimit)
        let promised = cause.instant.advanced(by: Promise.secondChannelAfter)
        return priority == .high && now < promised ? min(limit, promised) : limit
    }

    /// - Parameters:
    /// - again: also services that have acknowledged the same word before.
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
