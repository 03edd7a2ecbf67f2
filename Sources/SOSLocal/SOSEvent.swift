public import GatewayModel

/// What the machine is told. The instant it happened is given beside it.
public enum SOSEvent: Hashable, Sendable {
    case reading(Reading)
    case signal(WearableSignal)
    case fix(Fix)
    /// The house was told of an alarm.
    case annunciated(AlarmID)
    /// A channel has taken the order and is sending it.
    case dispatched(AlarmID, ChannelID)
    /// A machine at the other end acknowledged it.
    case handedOver(AlarmID, ChannelID)
    case channelFailed(AlarmID, ChannelID, reason: String)
    /// A person at the other end of a channel takes the call of `of`.
    case accepted(AlarmID, of: PersonID, PersonAct, ChannelID)
    case abort(AlarmTarget, PersonAct)
    case resolve(AlarmTarget, PersonAct)
    /// The gateway is being stopped in order.
    case stopping
}

/// Which alarm a person means.
public enum AlarmTarget: Hashable, Sendable {
    case alarm(AlarmID)
    case person(PersonID)
    /// The one there is: the one big button.
    case theOpenOne
}

/// What the machine asks for. The caller performs them in order and never waits for one.
public enum SOSAction: Hashable, Sendable {
    case noteCrossing(Crossing)
    case noteRecovery(Crossing)
    case annunciate(AlarmNotice)
    case dispatch(DispatchOrder)
    case retract(Retraction)
    case noteEnding(AlarmNotice, AlarmEnding, AlarmTimeline)
    /// A milestone of an alarm was reached for the first time; its time line so far.
    case noteProgress(AlarmID, SOSEvent, AlarmTimeline)
    case refuse(Alarm.Refusal)
    /// Not put to the rules, and why.
    case noteUnjudged(Reading, Unjudged)

    public enum Unjudged: Hashable, Sendable {
        /// The sensor does not touch the skin: a technical condition, not a vital sign.
        case contactLost
        /// Outside what a working sensor on a living person gives.
        case implausible
        /// A stored record: it tells how the person was.
        case history
        /// A person no plan watches.
        case unwatched
    }
}

/// An alarm as the house is told it.
public struct AlarmNotice: Hashable, Sendable {
    public let alarm: AlarmID
    public let cause: AlarmCause
    public let confirmation: BootInstant
    /// When the dispatch goes out unless someone cancels; nil once it has.
    public let windowEnd: BootInstant?
    public let call: Alarm.CallState
    /// 0 for the first time.
    public let repetition: Int

    public var person: PersonID { cause.person }
}

/// The order for help.
public struct DispatchOrder: Hashable, Sendable {
    public let alarm: AlarmID
    public let cause: AlarmCause
    public let confirmation: BootInstant
    /// When the machine gave the order.
    public let ordered: BootInstant
    /// The newest judged reading of the same device and kind; nil where the cause is a signal.
    public let newest: Reading?
    public let location: AlarmLocation
    public let channels: [ChannelID]
    /// 1 for the first call; the same alarm id in all.
    public let round: Int

    public var person: PersonID { cause.person }
}

/// The word to channels that were told: the call no longer holds.
public struct Retraction: Hashable, Sendable {
    public let alarm: AlarmID
    public let person: PersonID
    public let ending: AlarmEnding
    public let channels: [ChannelID]
    public let ordered: BootInstant
}
