public import GatewayModel

/// The time of a race: which wall time an instant of the boot clock was, and to within what in 95 of 100 cases.
///
/// The boot clock is never set, so the wall clock minus the boot clock is one number, and each source tells between which
/// limits it lies. What all allow is the answer; while nobody tells anything it grows on both sides as the crystal may
/// drift. So a step of the system's wall clock moves no time of a race, and each message can only make it surer. What
/// disagrees is held until it persists (`ClockRules`): a better source may then overrule a lesser one, a lesser one
/// never a better one that is still heard.
///
/// Pure: told the instants. Instants may be asked about in any order. Until a source moves the clock back, which is flagged,
/// later ones have later times.
public struct RaceClock: Sendable {
    /// What an observation did.
    public enum Verdict: Hashable, Sendable {
        /// It agrees, and made the time surer if it could.
        case taken
        /// It disagrees, or is the first: it counts when it persists.
        case held
        /// No time that a box can be at.
        case refused
        /// From now on the time is known.
        case set
        /// A source has persisted against what was believed: by how much the clock moved.
        case moved(Duration)
    }

    /// A source that is being heard.
    private struct Heard {
        var first, last: BootInstant
        var count = 1
    }

    /// One answer, until a source has moved it.
    private struct Belief {
        var span: OffsetSpan
        /// Instants before it had another answer.
        var since: BootInstant
        var heard: [ClockSource: Heard] = [:]
    }

    /// What a source says against what is believed.
    private struct Doubt {
        var span: OffsetSpan
        var heard: Heard
    }

    private let rules: ClockRules
    private var belief: Belief?
    /// Latest first; bounded.
    private var earlier: [Belief] = []
    private var doubts: [ClockSource: Doubt] = [:]
    private var system = SystemClockSteps()

    public init(rules: ClockRules = ClockRules()) {
        self.rules = rules
    }

    /// Whether anything that can be trusted has told the time since the box started.
    public var isSet: Bool { belief != nil }

    // MARK: What is heard

    @discardableResult
    public mutating func observe(_ observation: ClockObservation) -> Verdict {
        guard observation.isPlausible, observation.source != .freeRunning else { return .refused }
        let (source, span) = (observation.source, observation.span)
        guard var belief, belief.span.agrees(with: span) else { return hold(span, of: source) }
        doubts[source] = nil
        belief.span = belief.span.narrowed(by: span, notBelow: rules.floor(of: source))
        belief.heard[source] = heardAgain(belief.heard[source], at: observation.at)
        self.belief = belief
        return .taken
    }

    /// A look at the system's wall clock, whether or not anybody sets it: what an unset clock shows, and where it is stepped.
    ///
    /// - Parameters:
    ///   - wall: nanoseconds since 1970.
    ///   - spread: between the two readings; a step is seen where it is larger.
    public mutating func look(at instant: BootInstant, wall: Int64, spread: Duration) {
        system.look(at: instant, offset: wall - instant.nanoseconds, spread: spread)
    }

    /// What an earlier run of the program knew in this same boot.
    public mutating func restore(_ mark: ClockMark) {
        guard belief == nil, let span = mark.span else { return }
        belief = Belief(span: span, since: mark.at)
    }

    // MARK: What is asked

    /// The time of an instant of this boot, and the state of the clock then.
    public func time(of instant: BootInstant) -> (time: WallTime, clock: ClockState) {
        let mark = mark(at: instant)
        return (mark.time(of: instant).time, ClockState(source: mark.source, bound: mark.bound))
    }

    public func state(at instant: BootInstant) -> ClockState { time(of: instant).clock }

    /// All that is known of an instant: for the record.
    public func mark(at instant: BootInstant) -> ClockMark {
        guard let belief = belief(at: instant) else {
            return ClockMark(at: instant, offset: system.offset, bound: nil, source: .freeRunning)
        }
        let span = belief.span.known(at: instant)
        return ClockMark(
            at: instant, offset: span.middle, bound: span.bound, source: source(of: belief, at: instant))
    }

    /// What of the clock makes a passing doubtful that lasted from `first` to `last`.
    public func flags(from first: BootInstant, to last: BootInstant) -> Set<Passing.Flag> {
        var flags: Set<Passing.Flag> = belief == nil ? [.clockUnset] : []
        // All but the first answer began by moving the clock.
        let moves = ([belief] + earlier).dropLast().compactMap { $0?.since }
        if system.isStepped(from: first, to: last) || moves.contains(where: { first < $0 && $0 <= last }) {
            flags.insert(.clockStepped)
        }
        return flags
    }

    /// Sources that are heard and not believed: a receiver that is deceived, or does not know the leap seconds.
    public func disputing(at instant: BootInstant) -> Set<ClockSource> {
        Set(doubts.filter { isAlive($0.value.heard, at: instant) }.keys)
    }

    // MARK: Who is believed

    private mutating func hold(_ span: OffsetSpan, of source: ClockSource) -> Verdict {
        var doubt = Doubt(span: span, heard: Heard(first: span.at, last: span.at))
        if let before = doubts[source], before.span.agrees(with: span), isAlive(before.heard, at: span.at) {
            doubt.span = before.span.narrowed(by: span, notBelow: rules.floor(of: source))
            doubt.heard = heardAgain(before.heard, at: span.at)
        }
        doubts[source] = doubt
        guard hasPersisted(doubt, of: source) else { return .held }
        doubts = [:]
        defer { belief = Belief(span: doubt.span, since: doubt.heard.first, heard: [source: doubt.heard]) }
        guard let belief else { return .set }
        earlier = Array(([belief] + earlier).prefix(Self.keptBeliefs))
        return .moved(.nanoseconds(doubt.span.middle - belief.span.known(at: span.at).middle))
    }

    /// Instants that are asked about lie minutes back at most.
    private static let keptBeliefs = 4

    private func hasPersisted(_ doubt: Doubt, of source: ClockSource) -> Bool {
        let (heard, now) = (doubt.heard, doubt.heard.last)
        guard heard.count >= rules.hearings else { return false }
        let lasted = heard.first.duration(to: now)
        guard let belief else { return lasted >= rules.firstTime }
        let others = belief.heard.filter { $0.key != source && isAlive($0.value, at: now) }.keys
        if others.contains(where: { $0.isBetter(than: source) }) { return false }
        return lasted >= (others.isEmpty ? rules.persistence : rules.persistenceAgainstOthers)
    }

    private func heardAgain(_ heard: Heard?, at instant: BootInstant) -> Heard {
        guard var heard, isAlive(heard, at: instant) else { return Heard(first: instant, last: instant) }
        heard.last = max(heard.last, instant)
        heard.count += 1
        return heard
    }

    private func isAlive(_ heard: Heard, at instant: BootInstant) -> Bool {
        heard.last.duration(to: instant) <= rules.silence
    }

    /// What held at `instant`: before the first time that was known, that same time reckoned back.
    private func belief(at instant: BootInstant) -> Belief? {
        guard let belief else { return nil }
        guard instant < belief.since, !earlier.isEmpty else { return belief }
        return earlier.first { $0.since <= instant } ?? earlier.last
    }

    private func source(of belief: Belief, at instant: BootInstant) -> ClockSource {
        let heard = belief.heard.filter {
            $0.value.count >= rules.hearings && isAlive($0.value, at: instant)
        }
        return ClockSource.allCases.first { heard[$0] != nil } ?? .freeRunning
    }
}

extension ClockSource {
    fileprivate func isBetter(than other: ClockSource) -> Bool {
        let order = Self.allCases
        return order.firstIndex(of: self) ?? 0 < order.firstIndex(of: other) ?? 0
    }
}
