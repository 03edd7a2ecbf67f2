public import GatewayModel

/// One alarm from its confirmation to its end by a person: window, dispatch, repetition, ending.
/// One method per event, each returns the actions to take now. It ends only by a person (T4); until then every
/// repeat interval the house is alarmed again and one channel more is told. All of it is kept over a restart
/// (T6).
public struct Alarm: Hashable, Codable, Sendable {
    public enum Step: Hashable, Sendable {
        /// Tell the house; `repetition` counts from 0.
        case annunciate(repetition: Int)
        /// Tell these channels.
        case dispatch([ChannelID], DispatchStage, round: Int)
        /// Tell the house that no machine outside has the call.
        case reportUnreached
        /// Tell the house that the word of the person is passed on.
        case reportAllRight
        /// Tell these channels that the call no longer holds, and why.
        case retract([ChannelID], AlarmEnding)
        /// The alarm has just ended.
        case end(AlarmEnding)
        /// A person has ended an alarm that another had accepted.
        case close(PersonAct)
        case refuse(Refusal)
    }

    /// How far the call for help has come.
    public enum CallState: Hashable, Sendable {
        case notYet
        /// Ordered, and no machine outside has confirmed to have it.
        case trying
        case handedOver
        /// Nobody outside is told of an alarm like this.
        case none
    }

    enum Phase: Hashable, Codable, Sendable {
        /// `notice` is when the early notice is due; nil where there is none, or it is out. `nextTry` is as in
        /// `Calling`, for the notice.
        case window(end: BootInstant, notice: BootInstant?, nextTry: BootInstant?)
        case calling(Calling)
        case ended(AlarmEnding)
    }

    /// The call as it stands.
    struct Calling: Hashable, Codable, Sendable {
        var round: Int
        var nextRound: BootInstant
        /// Channels that were not reached are tried again, and one more is told; nil once a machine has
        /// acknowledged.
        var nextTry: BootInstant?
        /// The house is told that nobody is reached, unless a machine acknowledges before; nil once it was told.
        var reportDue: BootInstant?
    }

    /// The last message to a channel, and its outcome.
    struct Word: Hashable, Codable, Sendable {
        let stage: DispatchStage
        var state: State

        enum State: String, Hashable, Codable, Sendable { case trying, handedOver, failed }
    }

    public let cause: AlarmCause
    public let priority: AlarmPriority
    public internal(set) var timeline: AlarmTimeline
    /// Channels that are told of an alarm of this priority, in the order of the plan.
    public let channels: [ChannelID]
    let ways: EscalationPlan
    var phase: Phase
    /// How many of the channels, from the first on, are to know.
    var reach: Int
    var told: [ChannelID: Word] = [:]
    var repetition = 0
    /// Retractions that informed services have still to get, and when they are tried again.
    var lastWord: LastWord?
    /// When anyone outside was first to be told.
    var firstOrdered: BootInstant?
    /// A person has ended the window by asking for help at once; nil where it ended by itself.
    public internal(set) var hurried: Hurried?
    /// The person said by a button that they are all right after the call had arrived: for its recipients, and no
    /// end of the alarm. Nil where they have not.
    public internal(set) var saidAllRight: SaidAllRight?
    /// Cancelled after someone had accepted.
    public internal(set) var isTakenBack = false

    /// Act that has ended the alarm after it was accepted; nil before.
    public internal(set) var closed: Closing?

    /// End of an alarm that somebody had accepted: nobody has to go any more.
    public struct Closing: Hashable, Codable, Sendable {
        public let by: PersonAct
        public let at: BootInstant
    }
    /// Its values are doubtful and nothing supports them; nil once something does, and in an alarm of an earlier version.
    private var doubt: Bool?

    /// Its values are doubtful and nothing supports them: the room is asked, and help is called if nobody answers.
    public var isDoubted: Bool { doubt == true }

    public var certainty: AlarmCertainty { isDoubted ? .possible : .observed }

    /// Act of a person who does not wait for the end of the window.
    public struct Hurried: Hashable, Codable, Sendable {
        public let by: PersonAct
        public let at: BootInstant
    }

    /// Word of a person after the arrival of their call.
    public struct SaidAllRight: Hashable, Codable, Sendable {
        public let by: PersonAct
        public let at: BootInstant
    }

    struct LastWord: Hashable, Codable, Sendable {
        let ending: AlarmEnding
        var owed: [ChannelID]
        /// Those of them that the last attempt did not reach; the others are still being told.
        var failed: [ChannelID] = []
        var nextTry: BootInstant?
    }

    /// Confirmed at `confirmation`; the window is half open: at its end it is over.
    /// - Parameters:
    ///   - confirmation: of a doubted one: when the room is asked.
    ///   - isDoubted: by doubtful values alone.
    public init(
        cause: AlarmCause, priority: AlarmPriority, confirmation: BootInstant, plan: SOSPlan,
        isDoubted: Bool = false
    ) {
        self.cause = cause
        self.priority = priority
        ways = plan.ways
        channels = plan.ways.told(of: priority)
        reach = plan.ways.toldAtOnce
        timeline = AlarmTimeline(crossing: cause.instant, confirmation: confirmation)
        let delay = cause.instant.duration(to: confirmation)
        doubt = isDoubted ? true : nil
        let dispatch = plan.dispatchDelay(of: cause, priority, confirmation: delay, isDoubted: isDoubted)
        let notice = plan.noticeDelay(
            of: cause, priority, confirmation: delay, dispatch: dispatch, isDoubted: isDoubted)
        phase = .window(
            end: cause.instant.advanced(by: dispatch), notice: notice.map { cause.instant.advanced(by: $0) },
            nextTry: nil)
    }

    /// Something supports the values: the window to cancel becomes that of an alarm that nothing doubts.
    mutating func trust(at now: BootInstant, window: Duration) -> [Step] {
        guard isDoubted, isOpen else { return [] }
        doubt = nil
        guard case .window(let end, let notice, let nextTry) = phase else { return [] }
        let sooner = min(end, now.advanced(by: window))
        phase = .window(end: sooner, notice: notice.flatMap { $0 < sooner ? $0 : nil }, nextTry: nextTry)
        repetition += 1
        return [.annunciate(repetition: repetition)]
    }

    /// The values of a doubted alarm are back inside. Only while nobody was called: a call is for a person to end. After a
    /// restart nobody can tell that none was, in a moment that was not written down.
    mutating func recede(at now: BootInstant) -> [Step] {
        guard isDoubted, timeline.restarts == 0, case .window = phase else { return [] }
        let gateway = PersonAct(by: "the gateway", means: .gateway)
        return end(.aborted(gateway, at: now, beforeDispatch: told.isEmpty), at: now)
    }

    public var id: AlarmID { cause.alarm }

    public var ending: AlarmEnding? {
        if case .ended(let ending) = phase { ending } else { nil }
    }

    public var isOpen: Bool { ending == nil }

    public var call: CallState {
        if channels.isEmpty { return .none }
        if told.isEmpty && windowEnd != nil { return .notYet }
        // An early notice that has arrived is no call that has.
        let hasArrived = windowEnd == nil ? timeline.callHandedOver != nil : !timeline.handedOver.isEmpty
        return hasArrived ? .handedOver : .trying
    }

    /// The end of the abort window while it runs.
    public var windowEnd: BootInstant? {
        if case .window(let end, _, _) = phase { end } else { nil }
    }

    /// Whether a machine outside has acknowledged, while the window runs, that help may be needed.
    public var isNoticeGiven: Bool { windowEnd != nil && !timeline.handedOver.isEmpty }

    /// Whether the call was given to the channels for longer than `Promise.reportLimit`, or every channel is known to be
    /// dead or has failed, and no machine outside has acknowledged it.
    public var isCallUnreached: Bool {
        guard case .calling(let calling) = phase, !channels.isEmpty else { return false }
        return timeline.callHandedOver == nil && calling.reportDue == nil
    }

    /// Whether channels that were told have still to learn that the alarm is over.
    public var owesLastWord: Bool { lastWord?.owed.isEmpty == false }

    /// Channels that were told, in the order of the plan.
    public var channelsTold: [ChannelID] { channels.filter { told[$0] != nil } }

    /// How long after its acceptance an alarm can still be taken back without naming it.
    private static let standDownLimit = Duration.seconds(1_800)

    func wasAcceptedLately(at now: BootInstant) -> Bool {
        guard case .accepted(_, _, let at) = ending else { return false }
        return at.duration(to: now) <= Self.standDownLimit
    }

    func canBeTakenBack(at now: BootInstant) -> Bool { !isTakenBack && wasAcceptedLately(at: now) }

    /// Time for which an accepted alarm is shown that nobody has ended: a family reads its taker for an hour.
    public static let heldLimit = Duration.seconds(3_600)

    /// Whether somebody has accepted it within `heldLimit`, and nobody has ended it since.
    public func isHeld(at now: BootInstant) -> Bool {
        guard case .accepted(_, _, let at) = ending else { return false }
        return closed == nil && !isTakenBack && !cause.isDrill && at.duration(to: now) <= Self.heldLimit
    }

    /// Whether it can be forgotten: over, and every informed channel knows.
    var isSettled: Bool { !isOpen && lastWord == nil }

    public var deadline: BootInstant? {
        switch phase {
        case .window(let end, let notice, let nextTry): min(end, notice ?? end, nextTry ?? end)
        case .calling(let calling):
            min(
                calling.nextRound, calling.nextTry ?? calling.nextRound, calling.reportDue ?? calling.nextRound)
        case .ended: lastWord?.nextTry
        }
    }
}

/// Why something asked of an alarm was not done.
extension Alarm {
    public enum Refusal: Hashable, Sendable {
        case notDispatchedYet
        case alreadyEnded(AlarmEnding)
        case alreadyRetracted
        case unknownAlarm
        case nothingOpen
        case severalOpen([PersonID], asked: PersonAct.Means)
        /// The person's plan does not let an alarm be ended this way.
        case notAllowed(PersonAct.Means)
        case unknownPerson(PersonID)
        /// A button that has just called for help itself cancels nothing for a while.
        case hasJustCalled
        /// A drill while an emergency of anybody in the house is open.
        case emergencyOpen(AlarmID)
        /// A drill while another person's is held.
        case drillOpen(AlarmID)
    }
}

/// How sure the house is when it tells a channel (T3).
public enum DispatchStage: String, Hashable, Codable, Sendable {
    /// Help may be needed: the window to cancel still runs.
    case pending
    case confirmed
}
