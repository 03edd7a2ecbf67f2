public import GatewayModel

/// Choice of an alarm's channels by their states.
///
/// A channel that is known to be dead costs no time: the next one is told beside it. It gets the call all the same,
/// since its state may be wrong, or it comes back.
extension Alarm {
    /// A channel has become dead, or lives again.
    /// - Parameter dead: the channels that are known to be dead, by now.
    public mutating func changed(
        _ channel: ChannelID, dead: Set<ChannelID>, at now: BootInstant
    ) -> [Step] {
        dead.contains(channel) ? lost(channel, dead) : regained(channel)
    }

    /// The session of a channel ended while it had the call: no acknowledgement is waited for.
    private mutating func lost(_ channel: ChannelID, _ dead: Set<ChannelID>) -> [Step] {
        guard let stage, told[channel] == Word(stage: stage, state: .trying) else { return [] }
        return (isReachable(dead) ? [] : tellNext(except: channel, dead)) + reportIfUnreachable(dead)
    }

    /// Whether a channel has the newest word, or is being told it and is not known to be dead.
    func isReachable(_ dead: Set<ChannelID>) -> Bool {
        told.contains { channel, word in
            word.stage == stage
                && (word.state == .handedOver || word.state == .trying && !dead.contains(channel))
        }
    }

    /// A channel that failed lives again: nothing is waited for to try it once more.
    private mutating func regained(_ channel: ChannelID) -> [Step] {
        if let last = lastWord, last.failed.contains(channel) {
            lastWord?.failed.removeAll { $0 == channel }
            if lastWord?.failed.isEmpty == true { lastWord?.nextTry = nil }
            return [.retract([channel], last.ending)]
        }
        guard let stage, told[channel] == Word(stage: stage, state: .failed) else { return [] }
        told[channel] = Word(stage: stage, state: .trying)
        return [.dispatch([channel], stage, round: round)]
    }

    /// Stage of the call for the channels now; nil where no channel is told.
    private var stage: DispatchStage? {
        switch phase {
        case .window: told.isEmpty ? nil : .pending
        case .calling: .confirmed
        case .ended: nil
        }
    }

    private var round: Int {
        if case .calling(let calling) = phase { calling.round } else { 1 }
    }

    /// Reaches at least as many channels that live as are to be told at once, or all there are.
    mutating func reachLive(_ dead: Set<ChannelID>) {
        while reach < channels.count,
            channels.prefix(reach).count(where: { !dead.contains($0) }) < ways.toldAtOnce
        {
            reach += 1
        }
    }

    /// Reaches one more channel that lives, and those before it.
    mutating func reachOneMore(_ dead: Set<ChannelID>) {
        while reach < channels.count {
            reach += 1
            if !dead.contains(channels[reach - 1]) { return }
        }
    }

    /// Tells one more channel that lives, at once.
    mutating func tellNext(except resting: ChannelID, _ dead: Set<ChannelID>) -> [Step] {
        guard let stage, reach < channels.count else { return [] }
        reachOneMore(dead)
        return tell(stage, round: round, again: false, except: resting)
    }

    /// Where no channel is left for the call, the house hears it at once.
    mutating func reportIfUnreachable(_ dead: Set<ChannelID>) -> [Step] {
        guard case .calling(var calling) = phase, calling.reportDue != nil else { return [] }
        let isUnreachable = channels.allSatisfy { channel in
            guard let word = told[channel], word.stage == .confirmed else { return false }
            return word.state == .failed || word.state == .trying && dead.contains(channel)
        }
        guard isUnreachable else { return [] }
        calling.reportDue = nil
        phase = .calling(calling)
        return [.reportUnreached]
    }
}
