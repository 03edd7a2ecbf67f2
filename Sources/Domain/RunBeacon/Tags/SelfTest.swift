public import GatewayModel

/// Whether the box hears a tag that is held beside it: before the start, with one tag of the race.
///
/// Of several radios it is the one that hears it best: hold the tag beside each in turn.
public struct SelfTest: Sendable {
    /// Every default says where it comes from.
    public struct Rules: Hashable, Sendable {
        /// Enough for a median that one that fades does not move.
        public var hits = 10
        /// A tag of 1 s, the slowest of use, is heard ten times even where every third is lost.
        public var within: Duration = .seconds(15)
        /// dBm, the median. A tag of -59 dBm at 1 m is heard at -71 from 3 m; weaker, and an antenna is loose.
        public var strength: Int8 = -75

        public init() {}
    }

    public enum Verdict: Hashable, Sendable {
        /// So many heard of those that are needed.
        case listening(hits: Int)
        case passed(Measure)
        case failed(Reason)
    }

    public struct Measure: Hashable, Sendable {
        public let hits: Int
        /// dBm, the median.
        public let strength: Int8
        /// From the first to the last.
        public let took: Duration
        /// Of the box's radios, the one beside which it was held.
        public let antenna: UInt8
    }

    /// The reason for a failure, in words for a person beside the box.
    public enum Reason: Hashable, Sendable, CustomStringConvertible {
        case notHeard(within: Duration)
        case tooFew(Int, of: Int, within: Duration)
        /// dBm.
        case tooWeak(Int8, wanted: Int8)

        public var description: String {
            switch self {
            case .notHeard(let time):
                "the tag was not heard within \(time.components.seconds) s; see that its battery is in, that it is "
                    + "the one named, and that the box scans"
            case .tooFew(let hits, let needed, let time):
                "the tag was heard \(hits) times within \(time.components.seconds) s, \(needed) are needed; see that "
                    + "it advertises twice a second or more, and what else uses the radio"
            case .tooWeak(let strength, let wanted):
                "the tag was heard at \(strength) dBm, \(wanted) dBm are wanted of one held beside the box; see to "
                    + "the antenna, and to the tag's battery and power"
            }
        }
    }

    public let tag: TagNumber
    private let rules: Rules
    private let start: BootInstant
    /// By the radio that heard them.
    private var heard: [UInt8: [TagHit]] = [:]

    public init(tag: TagNumber, from start: BootInstant, rules: Rules = Rules()) {
        (self.tag, self.start, self.rules) = (tag, start, rules)
    }

    public mutating func hear(_ hit: TagHit) {
        guard hit.tag == tag, hit.arrival >= start, hit.arrival <= deadline,
            heard[hit.antenna, default: []].count < rules.hits
        else { return }
        heard[hit.antenna, default: []].append(hit)
    }

    public func verdict(at now: BootInstant) -> Verdict {
        let most = heard.values.map(\.count).max() ?? 0
        // The one that it is held beside may be a hit or two behind.
        if let best = best(ofAtLeast: now >= deadline ? rules.hits : rules.hits / 2), best.hits >= rules.hits {
            guard best.strength >= rules.strength else {
                return .failed(.tooWeak(best.strength, wanted: rules.strength))
            }
            return .passed(best)
        }
        guard now >= deadline else { return .listening(hits: most) }
        return .failed(
            most == 0
                ? .notHeard(within: rules.within) : .tooFew(most, of: rules.hits, within: rules.within))
    }

    /// Of the radio that hears it most strongly, of those that have heard it so often.
    private func best(ofAtLeast least: Int) -> Measure? {
        heard.filter { $0.value.count >= least }.compactMap { antenna, hits in
            guard let first = hits.first, let last = hits.last else { return nil }
            return Measure(
                hits: hits.count, strength: hits.map(\.rssi).sorted()[hits.count / 2],
                took: first.arrival.duration(to: last.arrival), antenna: antenna)
        }.max { ($0.strength, $1.antenna) < ($1.strength, $0.antenna) }
    }

    private var deadline: BootInstant { start.advanced(by: rules.within) }
}

/// Whether tags are heard at all, by which radio, and when each was last: for the status of the box, and for
/// the person that is overdue.
///
/// Its memory is that of the tags heard, which are enrolled ones: `forget` those that leave.
public struct TagWatch: Sendable {
    private var last: [TagNumber: BootInstant] = [:]
    private var antennas: [UInt8: AntennaReads] = [:]

    public init() {}

    public mutating func hear(_ hit: TagHit) {
        last[hit.tag] = Swift.max(last[hit.tag] ?? hit.arrival, hit.arrival)
        antennas[hit.antenna, default: AntennaReads()].hear(hit)
    }

    public mutating func forget(_ tags: some Sequence<TagNumber>) {
        for tag in tags { last[tag] = nil }
    }

    /// The last one heard, and when.
    public var latest: TagHit? {
        antennas.values.compactMap(\.latest).max { $0.arrival < $1.arrival }
    }

    /// Hits in the 60 seconds before `now`.
    public func readsPerMinute(at now: BootInstant) -> Int {
        antennas.values.reduce(0) { $0 + $1.perMinute(at: now) }
    }

    /// Hits of one radio: none, where it was never named by a hit.
    public func reads(of antenna: UInt8) -> AntennaReads { antennas[antenna] ?? AntennaReads() }

    /// Nil where it was never heard.
    public func lastHeard(_ tag: TagNumber) -> BootInstant? { last[tag] }
}
