public import GatewayModel

/// What the outside reports about an alarm.
extension Alarm {
    public mutating func annunciated(at instant: BootInstant) {
        if timeline.annunciated == nil { timeline.annunciated = instant }
    }

    /// A channel has taken a word and is sending it.
    public mutating func dispatched(by channel: ChannelID, at instant: BootInstant) {
        if timeline.dispatched[channel] == nil { timeline.dispatched[channel] = instant }
    }

    /// A machine acknowledged the order of `stage`; no person has accepted yet, so the repetition goes on. The
    /// acknowledgement of an early notice ends no trying of the call itself.
    public mutating func handedOver(by channel: ChannelID, _ stage: DispatchStage, at instant: BootInstant) {
        guard let word = told[channel] else { return }
        if timeline.handedOver[channel] == nil { timeline.handedOver[channel] = instant }
        if stage == .confirmed {
            timeline.callHandedOver = timeline.callHandedOver ?? instant
            timeline.callReached = (timeline.callReached ?? [:]).merging([channel: instant]) { first, _ in first
            }
        }
        guard word.stage == stage else { return }
        told[channel]?.state = .handedOver
        // Nobody more has to know before the next round.
        switch phase {
        case .window(let end, let notice, _):
            phase = .window(end: end, notice: notice, nextTry: nil)
        case .calling(var calling):
            calling.nextTry = nil
            calling.reportDue = nil
            phase = .calling(calling)
        case .ended: break
        }
    }

    /// A channel gave the order up: it is told again before long, and the next one is told at once.
    /// - Parameter dead: the channels that are known to be dead.
    public mutating func failed(
        _ channel: ChannelID, _ stage: DispatchStage, _ reason: String, at instant: BootInstant,
        dead: Set<ChannelID> = []
    ) -> [Step] {
        timeline.failed[channel] = ChannelFailure(at: instant, reason: reason)
        guard told[channel] == Word(stage: stage, state: .trying) else { return [] }
        told[channel]?.state = .failed
        // Known to be dead, it was told beside another, and its failure is no reason to tell a third.
        let isNews = !dead.contains(channel) || !isReachable(dead)
        return (isNews ? tellNext(except: channel, dead) : []) + reportIfUnreachable(dead)
    }

    /// Whether the house has to hear of a failure: once for each reason, of a call only while it is still
    /// wanted, and of the last word also where the call had failed for the same reason.
    /// - Parameter stage: of the call; nil for the last word.
    func isNews(failureOf channel: ChannelID, _ stage: DispatchStage?, _ reason: String) -> Bool {
        if let stage, !isOpen || told[channel]?.stage != stage { return false }
        guard let last = timeline.failed[channel], last.reason == reason else { return true }
        return stage == nil && ending.map { last.at <= $0.instant } ?? false
    }

    /// The last word has arrived there.
    public mutating func retracted(by channel: ChannelID) {
        lastWord?.owed.removeAll { $0 == channel }
        lastWord?.failed.removeAll { $0 == channel }
        if lastWord?.owed.isEmpty == true { lastWord = nil }
    }

    /// The last word did not arrive; it is tried again.
    public mutating func retractionFailed(_ channel: ChannelID, _ reason: String, at instant: BootInstant) {
        timeline.failed[channel] = ChannelFailure(at: instant, reason: reason)
        guard let last = lastWord, last.owed.contains(channel) else { return }
        // In vain for a day: whoever it was has long looked after it, or is no longer there. A call that was
        // never acknowledged may have arrived all the same, and is taken back for a while.
        let limit = timeline.handedOver[channel] == nil ? Self.doubtLimit : Self.lastWordLimit
        guard last.ending.instant.duration(to: instant) < limit else { return retracted(by: channel) }
        if !last.failed.contains(channel) { lastWord?.failed.append(channel) }
        lastWord?.nextTry = instant.advanced(by: ways.repeatInterval)
    }

    /// Ten minutes.
    private static let doubtLimit = Duration.seconds(600)
    /// A day.
    private static let lastWordLimit = Duration.seconds(86_400)
}
