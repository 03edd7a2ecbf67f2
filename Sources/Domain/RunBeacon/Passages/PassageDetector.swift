public import GatewayModel
import RealModule

/// From the hits of enrolled tags to their passages: one for each time a tag comes, is nearest, and goes. A tag
/// that stays is told of once while staying, and once on leaving.
/// Pure: it knows its arguments only. Its memory is that of the tags in range, and a word for each that has
/// gone. Hits come in the order of their arrival; one that is older than its tag's last is taken at that
/// instant.
public struct PassageDetector: Sendable {
    /// One of the two. Changed in place, since a copy of a visit is a copy of all its hits.
    private struct Known {
        var visit: Visit?
        /// Told already. It counts as a new visit when it comes back.
        var told: Told?
    }

    fileprivate struct Told {
        let at: BootInstant
        /// dBm, smoothed, at the strongest.
        let peak: Double
        let hasLingered: Bool
        var last: BootInstant
        var level: SmoothedLevel
        var lowest: Double
    }

    private let rules: PassageRules
    private var tags: [TagNumber: Known] = [:]
    /// Where all are heard weakly, across a wide road, a weak hit opens a passage.
    private var usual = UsualStrength()

    public init(rules: PassageRules = PassageRules()) {
        self.rules = rules
    }

    /// How many tags are in range, or have been told lately.
    public var known: Int { tags.count }

    /// - Returns: the passage that ended with this hit.
    public mutating func hear(_ hit: TagHit) -> Passage? {
        guard let index = tags.index(forKey: hit.tag) else {
            open(hit)
            return nil
        }
        if tags.values[index].visit != nil {
            // Tags that have gone silent are told here where nobody has called `elapse` in time.
            let hasGone = tags.values[index].visit?.isOver(at: hit.arrival, rules) ?? false
            if !hasGone { tags.values[index].visit?.add(hit, rules) }
            return hasGone || tags.values[index].visit?.isOver(at: hit.arrival, rules) == true
                ? end(at: index, hit.tag, hit.arrival) : nil
        }
        guard tags.values[index].told.map({ isBack($0, with: hit) }) ?? true else {
            tags.values[index].told?.hear(hit)
            return nil
        }
        tags[hit.tag] = nil
        open(hit)
        return nil
    }

    /// Call it some times a second: tells of the tags that have gone silent.
    public mutating func elapse(to now: BootInstant) -> [Passage] {
        var over: [TagNumber] = []
        var forgotten: [TagNumber] = []
        for (tag, known) in tags {
            if let visit = known.visit {
                if visit.isOver(at: now, rules) { over.append(tag) }
            } else if let told = known.told, isForgotten(told, at: now) {
                forgotten.append(tag)
            }
        }
        for tag in forgotten { tags[tag] = nil }
        return over.compactMap { tag in tags.index(forKey: tag).flatMap { end(at: $0, tag, now) } }
            .sorted { ($0.nearest, $0.tag) < ($1.nearest, $1.tag) }
    }

    /// Those of these tags that are in range, for the end of their run. Their visits go on.
    public func passages(of tags: some Sequence<TagNumber>) -> [Passage] {
        tags.compactMap { tag in self.tags[tag]?.visit?.passage(of: tag, rules) }
            .sorted { ($0.nearest, $0.tag) < ($1.nearest, $1.tag) }
    }

    /// Of those that are heard to go, before the box hears nothing any more: in a moment they would have been told of.
    public func departing(at now: BootInstant) -> [Passage] {
        tags.compactMap { tag, known in
            guard let visit = known.visit, visit.isGoing(at: now, rules) else { return nil }
            return visit.passage(of: tag, rules)
        }
        .sorted { ($0.nearest, $0.tag) < ($1.nearest, $1.tag) }
    }

    /// Of tags that are enrolled no longer nothing is kept, and nothing told.
    public mutating func forget(_ gone: some Sequence<TagNumber>) {
        for tag in gone { tags[tag] = nil }
    }

    private mutating func end(
        at index: Dictionary<TagNumber, Known>.Index, _ tag: TagNumber, _ now: BootInstant
    ) -> Passage? {
        guard let visit = tags.values[index].visit else { return nil }
        let passage = visit.passage(of: tag, rules)
        if passage.flags.isEmpty { usual.add(passage.strongest) }
        if !visit.isStaying && visit.isTooLong(at: now, rules) && visit.last.duration(to: now) < rules.silence {
            tags.values[index].visit?.stay(rules)
            return passage
        }
        tags.values[index].visit = nil
        tags.values[index].told = Told(
            at: now, peak: visit.peak, hasLingered: passage.flags.contains(.lingered), last: visit.last,
            level: visit.level, lowest: visit.level.value)
        return passage
    }

    /// It has been far away meanwhile, and is near again; or so long has passed that a far one counts as well.
    private func isBack(_ before: Told, with hit: TagHit) -> Bool {
        var told = before
        told.level.add(hit)
        let rise = told.hasLingered ? rules.rise : rules.fall
        let hasRisen = told.level.value > told.lowest + rise
        return hasRisen
            && (told.level.value > told.peak - rules.fall
                || told.at.duration(to: hit.arrival) >= rules.deadTime)
    }

    private func isForgotten(_ told: Told, at now: BootInstant) -> Bool {
        told.at.duration(to: now) >= rules.deadTime && told.last.duration(to: now) >= rules.silence
    }

    private mutating func open(_ hit: TagHit) {
        guard hit.rssi >= min(rules.opensAt, usual.weakest ?? rules.opensAt) else { return }
        tags[hit.tag] = Known(visit: Visit(hit), told: nil)
    }
}

extension PassageDetector.Told {
    fileprivate mutating func hear(_ hit: TagHit) {
        level.add(hit)
        last = hit.arrival
        lowest = min(lowest, level.value)
    }
}

/// When a passage begins and ends. Every default says where it comes from.
public struct PassageRules: Hashable, Sendable {
    /// dBm: weaker hits open no passage, unless all are heard weakly here. -90 is some 50 m in the open, the edge of what
    /// a radio of this kind hears.
    public var opensAt: Int8 = -90
    /// A tag that has not been heard for so long has gone. From far off only now and then one is heard: a shorter
    /// silence makes two passages of one.
    public var silence: Duration = .seconds(8)
    /// The same of a tag of which no hit would have opened a passage: most often it is still on its way, 60 m at 2.2 m/s.
    public var farSilence: Duration = .seconds(25)
    /// A passage is over when the signal has stayed this much below its peak for `reaction`. 9 dB are three times
    /// the distance at the exponent 2.
    public var fall: Double = 9
    /// It delays the report of a time. Shorter, and a body in the way for a moment ends a passage before its
    /// peak. (RACE RESULT decoders wait 0.85 s after the last peak, over a mat of 1 m; a radio hears 100 m
    /// wide.)
    public var reaction: Duration = .seconds(6)
    /// Not reported again before, unless as strong as the first time. The way back past the box on a loop takes
    /// longer, and the occasional hits of a runner that goes away are weaker.
    public var deadTime: Duration = .seconds(30)
    /// A runner in range for this time may be standing: 45 m on each side of the box, at 2.2 m/s.
    public var long: Duration = .seconds(40)
    /// Fall that ends the passage of a standing runner, in place of `fall`: in a crowd the signal of a standing
    /// person strays by 9 dB within minutes.
    public var longFall: Double = 15
    /// Rise of the signal of a runner that stayed which counts as a passage: they went away, and come back.
    public var rise: Double = 12
    /// Nobody takes so long to pass: 130 m, the range of a strong tag on an open road, at 1.1 m/s.
    public var longest: Duration = .seconds(120)

    public init() {}
}

/// Prior of a runner's movement near the box, before the strengths are considered.
struct Presence {
    let ways: [PassageCurve.Way]
    /// A logarithm: how much less likely the ways are on which somebody stands than the one straight past.
    var odds = 0.0
    /// Seconds for which the obstacles on the way stay alike. Some 2 m at 3 m/s; a standing person moves about
    /// a little.
    var memory = 2.0
    /// Effects outside the model widen the bound: chosen so that 95 % lie within it in all simulated scenarios.
    var caution = 1.8

    /// Came and went within the time of a passage.
    static let passing = Presence(ways: [.past], memory: 0.6, caution: 1.3)
    /// Walked past slowly or far away, which is seen more often, or stood.
    static let long = Presence(ways: [.past] + standing, odds: -3)
    /// Has been here for minutes, and stays.
    static let staying = Presence(ways: [.past, .coming])
    /// Has been here for minutes, and went.
    static let leaving = Presence(ways: [.past] + standing)

    /// At the line, or behind it in the crowd of a start: 3 dB weaker than at the line, 12, 22.
    private static let standing = [0.0, 1, 3, 8].map { PassageCurve.Way.leaving(from: $0) }
}

/// How strongly a tag is heard at the moment: dBm, an exponential mean by time.
struct SmoothedLevel: Sendable {
    /// Seconds: a few hits at 100 ms, less than the second that a runner takes past the box.
    private static let smoothing = 0.4

    private(set) var value: Double
    private var at: BootInstant

    init(_ hit: TagHit) {
        (value, at) = (Double(hit.rssi), hit.arrival)
    }

    mutating func add(_ hit: TagHit) {
        let seconds = Double(at.duration(to: hit.arrival).wholeNanoseconds) / 1e9
        let share = 1 - Double.exp(-max(0, seconds) / Self.smoothing)
        value += share * (Double(hit.rssi) - value)
        at = max(at, hit.arrival)
    }
}
