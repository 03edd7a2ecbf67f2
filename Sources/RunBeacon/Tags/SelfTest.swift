public import GatewayModel

/// Whether the box hears a tag that is held beside it: before the start, with one tag of the race.
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
    }

    /// Why not, in words for whoever stands beside the box.
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
    private var heard: [TagHit] = []

    public init(tag: TagNumber, from start: BootInstant, rules: Rules = Rules()) {
        (self.tag, self.start, self.rules) = (tag, start, rules)
    }

    public mutating func hear(_ hit: TagHit) {
        guard hit.tag == tag, hit.arrival >= start, hit.arrival <= deadline, heard.count < rules.hits else {
            return
        }
        heard.append(hit)
    }

    public func verdict(at now: BootInstant) -> Verdict {
        if heard.count >= rules.hits, let first = heard.first, let last = heard.last {
            let strength = heard.map(\.rssi).sorted()[heard.count / 2]
            guard strength >= rules.strength else {
                return .failed(.tooWeak(strength, wanted: rules.strength))
            }
            return .passed(
                Measure(
                    hits: heard.count, strength: strength, took: first.arrival.duration(to: last.arrival)))
        }
        guard now >= deadline else { return .listening(hits: heard.count) }
        return .failed(
            heard.isEmpty
                ? .notHeard(within: rules.within)
                : .tooFew(heard.count, of: rules.hits, within: rules.within))
    }

    private var deadline: BootInstant { start.advanced(by: rules.within) }
}
