public import GatewayModel

/// Clock of a race: wall time of an instant of the boot clock, with its error bound in 95 of 100 cases.
///
/// The boot clock is never set, so the wall clock minus the boot clock is one number, and each source tells between which
/// limits it lies. The intersection of all limits is the answer; while nobody tells anything it grows on both
/// sides as the crystal may drift. So a step of the system's wall clock moves no time of a race, and each
/// message can only make it surer. What disagrees is held until it persists (`ClockRules`): a better source may
/// then overrule a lesser one, a lesser one never a better one that is still heard.
///
/// Pure: told the instants. Instants may be asked about in any order. Until a source moves the clock back, which is flagged,
/// later ones have later times.
public struct RaceClock: Sendable {
    /// Effect of an observation.
    public enum Verdict: Hashable, Sendable {
        /// It agrees, and made the time surer if it could.
        case taken
        /// It disagrees, or is the first: it counts when it persists.
        case held
        /// No time that a box can be at.
        case refused
        /// From now on the time is known.
        case set
        /// A source has persisted against the believed time: by how much the clock moved.
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

    /// Claim of a source against the believed time.
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

    // MARK: Observations

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

    /// A look at the system's wall clock, whether or not anybody sets it: the time of an unset clock, and its
    /// steps.
    ///
    /// - Parameters:
    ///   - wall: nanoseconds since 1970.
    ///   - spread: between the two readings; a step is seen where it is larger.
    public mutating func look(at instant: BootInstant, wall: Int64, spread: Duration) {
        system.look(at: instant, offset: wall - instant.nanoseconds, spread: spread)
    }

    /// Knowledge of an earlier run of the program in this same boot.
    public mutating func restore(_ mark: ClockMark) {
        guard belief == nil, let span = mark.span else { return }
        belief = Belief(span: span, since: mark.at)
    }

    // MARK: Queries

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

    /// Doubts of the clock about a passing that lasted from `first` to `last`.
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

    // MARK: Trust in sources

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

    /// Offset at `instant`: before the first known time, that same time reckoned back.
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

/// When a source is believed. Every default says where it comes from.
public struct ClockRules: Hashable, Sendable {
    /// A source that is silent for longer does not discipline the clock any more: receivers and the kernel tell once a
    /// second, and a fix is lost under a bridge for less.
    public var silence: Duration = .seconds(30)
    /// Times in a row that a source has to be heard before the clock is said to be by it, or set by it.
    public var hearings = 5
    /// And for so long: five messages at once are one.
    public var firstTime: Duration = .seconds(4)
    /// How long a source has to say the same before it moves a clock that it disagrees with, where no other stands
    /// against it: a receiver under trees errs for seconds.
    public var persistence: Duration = .seconds(60)
    /// The same where a lesser source stands against it: a receiver learns only after 12.5 minutes how many leap
    /// seconds there are (IS-GPS-200, the almanac's period), and is wrong by up to 18 s until then.
    public var persistenceAgainstOthers: Duration = .seconds(900)

    public init() {}

    /// Nothing that a source tells over and over makes the clock surer than this. The common error of single
    /// messages is not seen from them.
    func floor(of source: ClockSource) -> Duration {
        switch source {
        case .pps: .milliseconds(1)
        case .gps: .milliseconds(100)
        case .ntp: .milliseconds(10)
        case .freeRunning: .milliseconds(1)
        }
    }
}

/// Source that disciplines the wall clock, best first.
public enum ClockSource: String, CaseIterable, Hashable, Codable, Sendable {
    /// The pulse of a satellite receiver.
    case pps
    /// The messages of a satellite receiver, late by the time they take.
    case gps
    case ntp
    /// Nothing: the time is as good as the oscillator since it last knew.
    case freeRunning = "free-running"
}

/// How good the wall clock was at an instant.
public struct ClockState: Hashable, Codable, Sendable {
    public let source: ClockSource
    /// The clock is right to within ± this, in 95 of 100 cases; nil where nobody can say, since it was never set.
    public let bound: Duration?

    public init(source: ClockSource, bound: Duration?) {
        self.source = source
        self.bound = bound
    }
}

/// Time of the box at one instant of its boot clock, with its error bound: enough to date all that happened
/// since it was switched on, afterwards as well.
public struct ClockMark: Hashable, Codable, Sendable {
    public let at: BootInstant
    /// Nanoseconds of the wall clock since 1970 minus those of the boot clock.
    public let offset: Int64
    /// Nil where nothing had set the clock.
    public let bound: Duration?
    public let source: ClockSource

    public init(at: BootInstant, offset: Int64, bound: Duration?, source: ClockSource) {
        (self.at, self.offset, self.bound, self.source) = (at, offset, bound, source)
    }

    /// Nil where nothing had set the clock.
    var span: OffsetSpan? {
        bound.map { bound in
            let half = bound.wholeNanoseconds
            return OffsetSpan(low: offset - half, high: offset + half, at: at)
        }
    }

    /// The time at `instant` of the same boot, and how well it is known so far from `at`.
    public func time(of instant: BootInstant) -> (time: WallTime, bound: Duration?) {
        let time = WallTime(nanosecondsSince1970: instant.nanoseconds + offset)
        return (time, span?.known(at: instant).bound)
    }
}

extension WallTime {
    /// To the nearest millisecond.
    init(nanosecondsSince1970 nanoseconds: Int64) {
        let (milliseconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        self.init(millisecondsSince1970: milliseconds + (rest >= 500_000 ? 1 : rest < -500_000 ? -1 : 0))
    }
}

/// Time by one source: within ± `bound` of `wall` when the boot clock showed `at`.
public struct ClockObservation: Hashable, Sendable {
    public let source: ClockSource
    public let at: BootInstant
    /// Nanoseconds since 1970, without leap seconds.
    public let wall: Int64
    /// A limit, not a deviation: an error beyond it is a fault.
    public let bound: Duration

    public init(source: ClockSource, at: BootInstant, wall: Int64, bound: Duration) {
        (self.source, self.at, self.wall, self.bound) = (source, at, wall, bound)
    }

    /// Between 2026 and 2100, and no bound of more than an hour: a receiver whose count of weeks has begun anew says that
    /// it is 19.6 years earlier, and a clock that nobody set that it is 1970.
    var isPlausible: Bool {
        (1_767_225_600_000_000_000..<4_102_444_800_000_000_000).contains(wall)
            && (.zero...Duration.seconds(3_600)).contains(bound) && at.nanoseconds >= 0
    }

    /// Of the wall clock minus the boot clock, at `at`.
    var span: OffsetSpan {
        let (offset, half) = (wall - at.nanoseconds, bound.wholeNanoseconds)
        return OffsetSpan(low: offset - half, high: offset + half, at: at)
    }
}

/// Between which limits the wall clock minus the boot clock lies, in nanoseconds: known at one instant, and less and less
/// well before and after it.
struct OffsetSpan: Hashable, Sendable {
    private(set) var low, high: Int64
    private(set) var at: BootInstant

    /// How far the boot clock goes wrong, ns a ms. The crystal of a Raspberry Pi is specified to some ± 20 to 30 ppm
    /// and moves by 6 ppm with the temperature of a room; outdoors and with age more. Never measured here.
    static let drift: Int64 = 50

    init(low: Int64, high: Int64, at: BootInstant) {
        (self.low, self.high, self.at) = (low, high, at)
    }

    /// The same, as well as it is known at another instant.
    func known(at instant: BootInstant) -> OffsetSpan {
        let away = Int64(at.duration(to: instant).wholeNanoseconds.magnitude)
        // A year of it is 26 minutes.
        let growth = away / 1_000_000 * Self.drift + away % 1_000_000 * Self.drift / 1_000_000
        return OffsetSpan(low: low - growth, high: high + growth, at: instant)
    }

    func agrees(with other: OffsetSpan) -> Bool {
        let other = other.known(at: at)
        return low <= other.high && other.low <= high
    }

    /// Intersection of both, at the later of the two; `other` alone makes nothing narrower than ± `floor`.
    /// - Parameter other: one that agrees.
    func narrowed(by other: OffsetSpan, notBelow floor: Duration) -> OffsetSpan {
        let instant = max(at, other.at)
        let (mine, others) = (known(at: instant), other.known(at: instant))
        var both = OffsetSpan(
            low: max(mine.low, others.low), high: min(mine.high, others.high), at: instant)
        let least = min(floor.wholeNanoseconds, (mine.high - mine.low) / 2)
        let missing = least - (both.high - both.low) / 2
        if missing > 0 { (both.low, both.high) = (both.low - missing, both.high + missing) }
        return both
    }

    var middle: Int64 { low + (high - low) / 2 }
    var bound: Duration { .nanoseconds(high - middle) }
}
