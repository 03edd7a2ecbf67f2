public import GatewayModel

/// What persons do about an alarm.
extension Alarm {
    /// Before anyone was told it ends quietly; after it, every channel that was told gets a cancellation
    /// (T5). After an acceptance the ending stands, and the cancellation still goes out, once.
    public mutating func abort(_ act: PersonAct, at now: BootInstant) -> [Step] {
        switch phase {
        case .window, .calling:
            return end(.aborted(act, at: now, beforeDispatch: told.isEmpty), at: now)
        case .ended(.accepted):
            guard !isTakenBack else { return [.refuse(.alreadyRetracted)] }
            let ending = AlarmEnding.aborted(act, at: now, beforeDispatch: false)
            isTakenBack = true
            lastWord = LastWord(ending: ending, owed: channelsTold)
            return [.retract(channelsTold, ending)]
        case .ended(let ending):
            return [.refuse(.alreadyEnded(ending))]
        }
    }

    /// The person says by a button that they are all right, and the call has arrived: its recipients hear so at once,
    /// and decide. A press in fear takes nothing back.
    mutating func sayAllRight(_ act: PersonAct, at now: BootInstant) -> [Step] {
        guard case .calling(var calling) = phase, saidAllRight == nil else { return [] }
        saidAllRight = SaidAllRight(by: act, at: now)
        // A round of its own, since messages are known by their round; nobody more is told for it.
        calling.round += 1
        calling.nextRound = now.advanced(by: ways.repeatInterval)
        phase = .calling(calling)
        return [.reportAllRight] + tell(.confirmed, round: calling.round)
    }

    /// A person at the other end of `channel` takes the call. An early notice can be accepted as well: they
    /// are on their way, and hear of it if the alarm is cancelled after all.
    ///
    /// - Parameter othersWait: `channel` has told others besides this person.
    public mutating func accept(
        _ act: PersonAct, channel: ChannelID, othersWait: Bool = false, at now: BootInstant
    ) -> [Step] {
        switch phase {
        case .window where told.isEmpty: [.refuse(.notDispatchedYet)]
        case .window, .calling:
            end(
                .accepted(act, channel: channel, at: now), knownAt: othersWait ? nil : channel, at: now)
        case .ended(let ending): [.refuse(.alreadyEnded(ending))]
        }
    }

    /// A person in the house has dealt with it. An accepted alarm is ended by it as well: the recipients of its call hear
    /// nothing new.
    public mutating func resolve(_ act: PersonAct, at now: BootInstant) -> [Step] {
        switch phase {
        case .window, .calling: return end(.resolved(act, at: now), at: now)
        case .ended(.accepted) where closed == nil && !isTakenBack:
            closed = Closing(by: act, at: now)
            return [.close(act)]
        case .ended(let ending): return [.refuse(.alreadyEnded(ending))]
        }
    }

    /// - Parameter accepting: channel of a single person, who accepted the call and needs no word of it.
    mutating func end(
        _ ending: AlarmEnding, knownAt accepting: ChannelID? = nil, at now: BootInstant
    ) -> [Step] {
        phase = .ended(ending)
        timeline.ended = now
        let owed = channelsTold.filter { $0 != accepting }
        guard !owed.isEmpty else { return [.end(ending)] }
        lastWord = LastWord(ending: ending, owed: owed)
        return [.end(ending), .retract(owed, ending)]
    }
}
