public import GatewayModel

/// Action that the machine asks for. The caller performs them in order and never waits for one.
public enum SOSAction: Hashable, Sendable {
    case noteCrossing(Crossing)
    case noteRecovery(Crossing)
    case annunciate(AlarmNotice)
    case dispatch(DispatchOrder)
    case retract(Retraction)
    case noteEnding(AlarmNotice, AlarmEnding, AlarmTimeline)
    /// A person has ended an alarm that another had accepted.
    case noteClosing(AlarmNotice, PersonAct)
    /// A milestone of an alarm was reached for the first time; its time line so far.
    case noteProgress(AlarmID, SOSEvent, AlarmTimeline)
    /// A channel was not reached, with the call or, where `isLastWord`, with the word that it is over.
    case noteFailure(AlarmNotice, ChannelID, reason: String, isLastWord: Bool)
    /// Help was called and no machine outside has the call: every channel is known to be dead or has failed, or
    /// none has acknowledged for `Promise.reportLimit`. Once a call.
    case noteUnreached(AlarmNotice)
    /// The person says by a button that they are all right; those who have the call are being told. Once an alarm.
    case noteAllRight(AlarmNotice)
    /// The test of a person's help buttons has begun, or is over without an alarm: a press calls for help again.
    case noteButtonTest(PersonID, isOn: Bool)
    /// The limits of exercise hold until then, as somebody has said; those at rest hold again where nil.
    case noteExercise(PersonID, until: BootInstant?)
    /// An alarm is not as it was: for its record.
    case record(Alarm)
    case refuse(Alarm.Refusal)
    /// Not put to the rules, and why.
    case noteUnjudged(Reading, Unjudged)

    public enum Unjudged: String, Hashable, Sendable {
        /// The sensor does not touch the skin: a technical condition, not a vital sign.
        case contactLost = "contact-lost"
        /// Outside the range of a working sensor on a living person.
        case implausible
        /// A stored record: it tells how the person was.
        case history
        /// A person no plan watches.
        case unwatched
    }
}

/// An alarm as the house is told it.
public struct AlarmNotice: Hashable, Sendable {
    /// The alarm at that instant.
    public let state: Alarm
    /// 0 for the first time.
    public let repetition: Int

    public init(_ state: Alarm, repetition: Int = 0) {
        (self.state, self.repetition) = (state, repetition)
    }

    public var alarm: AlarmID { state.id }
    public var cause: AlarmCause { state.cause }
    public var person: PersonID { state.cause.person }
    public var priority: AlarmPriority { state.priority }
    public var confirmation: BootInstant { state.timeline.confirmation }
    /// When the dispatch goes out unless someone cancels; nil once it has.
    public var windowEnd: BootInstant? { state.windowEnd }
    /// Its values are doubtful and nothing supports them: the room is asked.
    public var isDoubted: Bool { state.isDoubted }
}

/// The order for help.
public struct DispatchOrder: Hashable, Sendable {
    public let alarm: AlarmID
    public let cause: AlarmCause
    public let priority: AlarmPriority
    public let stage: DispatchStage
    public let confirmation: BootInstant
    /// When the first order of this alarm was given, this one or an earlier.
    public let firstOrdered: BootInstant
    /// When the machine gave the order.
    public let ordered: BootInstant
    /// The newest judged reading of the same device and kind; nil where the cause is no reading.
    public let newest: Reading?
    /// How the person's vital signs went in the last minutes, oldest first.
    public let trend: [Reading]
    public let location: AlarmLocation
    public let channels: [ChannelID]
    /// 1 for the first call; the same alarm id in all.
    public let round: Int
    /// When a machine outside first acknowledged the call itself; nil while none has.
    public internal(set) var callHandedOver: BootInstant?
    /// The person said so after the call had arrived; it still holds.
    public internal(set) var saidAllRight: Alarm.SaidAllRight?
    public internal(set) var certainty = AlarmCertainty.observed

    public var person: PersonID { cause.person }
    public var isDrill: Bool { cause.isDrill }
    /// `ordered` for people; the same each time it is asked for.
    public var orderedWall: WallTime { cause.wall(of: ordered) }
    /// When the person said that they are all right, for people; nil where they have not.
    public var saidAllRightWall: WallTime? { saidAllRight.map { cause.wall(of: $0.at) } }
    public var firstOrderedWall: WallTime { cause.wall(of: firstOrdered) }
}

/// The word to channels that were told: the call no longer holds.
public struct Retraction: Hashable, Sendable {
    public let alarm: AlarmID
    public let cause: AlarmCause
    public let priority: AlarmPriority
    public let ending: AlarmEnding
    /// When the call that it takes back was first ordered.
    public let firstOrdered: BootInstant
    public let ordered: BootInstant
    public internal(set) var channels: [ChannelID]
    /// Those that have acknowledged a word of this alarm: a retraction is known there for certain.
    public internal(set) var acknowledged: Set<ChannelID> = []
    /// When a machine outside first acknowledged the call itself; nil where none had.
    public internal(set) var callHandedOver: BootInstant?

    public var person: PersonID { cause.person }
    public var isDrill: Bool { cause.isDrill }
    public var orderedWall: WallTime { cause.wall(of: ordered) }
    public var firstOrderedWall: WallTime { cause.wall(of: firstOrdered) }

    /// Its recipient knows of the alarm and learns no more than that it is over.
    public var isOfWhatIsKnown: Bool { acknowledged.isSuperset(of: channels) }

    /// The part of it that is for one of its channels.
    public func only(for channel: ChannelID) -> Retraction {
        var part = self
        part.channels = [channel]
        return part
    }
}
