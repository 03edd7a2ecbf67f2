public import GatewayModel

/// One alarm from its confirmation to the person who ends it: window, dispatch, repetition, ending.
///
/// One method per event, each returns what to do now. It ends only by a person (T4); until then every
/// repeat interval the house is alarmed again and one channel more is told.
public struct Alarm: Hashable, Sendable {
    public enum Step: Hashable, Sendable {
        /// Tell the house; `repetition` counts from 0.
        case annunciate(repetition: Int)
        /// Order help through these channels.
        case dispatch([ChannelID], round: Int)
        /// Tell these channels that the call no longer holds, and why.
        case retract([ChannelID], AlarmEnding)
        /// The alarm has just ended.
        case end(AlarmEnding)
        case refuse(Refusal)
    }

    /// Why something asked of an alarm was not done.
    public enum Refusal: Hashable, Sendable {
        case notDispatchedYet
        case alreadyEnded(AlarmEnding)
        case alreadyRetracted
        case unknownAlarm
        case nothingOpen
        case severalOpen([PersonID])
    }

    public enum CallState: Hashable, Sendable {
        case notYet
        /// Ordered, and no machine outside has confirmed to have it.
        case trying
        case handedOver
    }

    private enum Phase: Hashable, Sendable {
        case window(end: BootInstant)
        case calling(round: Int, nextRound: BootInstant)
        case ended(AlarmEnding)
    }

    private enum Told: Hashable, Sendable { case trying, handedOver }

    public let cause: AlarmCause
    public let channels: [ChannelID]
    public private(set) var timeline: AlarmTimeline
    private let repeatInterval: Duration
    private var phase: Phase
    private var told: [ChannelID: Told] = [:]
    private var isRetracted = false

    /// Confirmed at `confirmation`; the window is half open: at its end it is over.
    public init(cause: AlarmCause, confirmation: BootInstant, plan: SOSPlan) {
        self.cause = cause
        self.channels = plan.channels
        self.repeatInterval = plan.repeatInterval
        self.timeline = AlarmTimeline(crossing: cause.instant, confirmation: confirmation)
        self.phase = .window(end: confirmation.advanced(by: plan.abortWindow))
    }

    public var id: AlarmID { cause.alarm }

    public var ending: AlarmEnding? {
        if case .ended(let ending) = phase { ending } else { nil }
    }

    public var isOpen: Bool { ending == nil }

    /// How far the call for help has come.
    public var call: CallState {
        if windowEnd != nil { return .notYet }
        return timeline.handedOver.isEmpty ? .trying : .handedOver
    }

    /// The end of the abort window while it runs.
    public var windowEnd: BootInstant? {
        if case .window(let end) = phase { end } else { nil }
    }

    public var deadline: BootInstant? {
        switch phase {
        case .window(let end): end
        case .calling(_, let nextRound): nextRound
        case .ended: nil
        }
    }

    // MARK: Time

    public mutating func tick(at now: BootInstant) -> [Step] {
        switch phase {
        case .window(let end) where now >= end: call(round: 1, at: end)
        case .calling(let round, let next) where now >= next: callAgain(round: round + 1, at: now)
        default: []
        }
    }

    /// The gateway is being stopped: what still waits for its window is dispatched now, because
    /// nobody would be there to do it at the window's end.
    public mutating func hurry(at now: BootInstant) -> [Step] {
        guard case .window = phase else { return [] }
        return call(round: 1, at: now)
    }

    private mutating func call(round: Int, at instant: BootInstant) -> [Step] {
        let tellNow = channels.prefix(round).filter { told[$0] != .trying }
        for channel in tellNow { told[channel] = .trying }
        phase = .calling(round: round, nextRound: instant.advanced(by: repeatInterval))
        return tellNow.isEmpty ? [] : [.dispatch(Array(tellNow), round: round)]
    }

    /// A channel that is still trying is not told again: it has the order and will deliver it.
    private mutating func callAgain(round: Int, at instant: BootInstant) -> [Step] {
        [.annunciate(repetition: round - 1)] + call(round: round, at: instant)
    }

    // MARK: What the outside reports

    public mutating func annunciated(at instant: BootInstant) {
        if timeline.annunciated == nil { timeline.annunciated = instant }
    }

    public mutating func dispatched(at instant: BootInstant) {
        if timeline.dispatched == nil { timeline.dispatched = instant }
    }

    /// A machine acknowledged; no person has accepted yet, so the repetition goes on.
    public mutating func handedOver(by channel: ChannelID, at instant: BootInstant) {
        guard told[channel] != nil else { return }
        told[channel] = .handedOver
        if timeline.handedOver[channel] == nil { timeline.handedOver[channel] = instant }
    }

    /// A channel gave the order up: it may be told again, and the next one is told at once.
    public mutating func failed(_ channel: ChannelID, at instant: BootInstant) -> [Step] {
        guard case .calling(let round, _) = phase, told[channel] == .trying else { return [] }
        // A round before may have arrived: then somebody there has to hear of the end.
        told[channel] = timeline.handedOver[channel] == nil ? nil : .handedOver
        guard round < channels.count else { return [] }
        return call(round: round + 1, at: instant)
    }

    // MARK: What persons do

    /// Before the dispatch it ends quietly; after it, every channel that was told gets a cancellation
    /// (T5). After an acceptance the ending stands, and the cancellation still goes out, once.
    public mutating func abort(_ act: PersonAct, at now: BootInstant) -> [Step] {
        switch phase {
        case .window:
            return end(.aborted(act, at: now, beforeDispatch: true), at: now)
        case .calling:
            return end(.aborted(act, at: now, beforeDispatch: false), at: now)
        case .ended(.accepted):
            guard !isRetracted else { return [.refuse(.alreadyRetracted)] }
            isRetracted = true
            return [.retract(channelsTold, .aborted(act, at: now, beforeDispatch: false))]
        case .ended(let ending):
            return [.refuse(.alreadyEnded(ending))]
        }
    }

    /// A person at the other end of `channel` takes the call.
    public mutating func accept(_ act: PersonAct, channel: ChannelID, at now: BootInstant) -> [Step] {
        switch phase {
        case .window: [.refuse(.notDispatchedYet)]
        case .calling: end(.accepted(act, channel: channel, at: now), at: now)
        case .ended(let ending): [.refuse(.alreadyEnded(ending))]
        }
    }

    /// A person in the house has dealt with it.
    public mutating func resolve(_ act: PersonAct, at now: BootInstant) -> [Step] {
        switch phase {
        case .window, .calling: end(.resolved(act, at: now), at: now)
        case .ended(let ending): [.refuse(.alreadyEnded(ending))]
        }
    }

    private var channelsTold: [ChannelID] { channels.filter { told[$0] != nil } }

    private mutating func end(_ ending: AlarmEnding, at now: BootInstant) -> [Step] {
        phase = .ended(ending)
        timeline.ended = now
        // Whoever accepted knows; the other channels that were told are not left waiting either.
        let toTell: [ChannelID] =
            if case .accepted(_, let channel, _) = ending {
                channelsTold.filter { $0 != channel }
            } else {
                channelsTold
            }
        return [.end(ending)] + (toTell.isEmpty ? [] : [.retract(toTell, ending)])
    }
}
