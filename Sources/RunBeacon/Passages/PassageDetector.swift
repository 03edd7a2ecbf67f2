public import GatewayModel

/// From the hits of enrolled tags to their passages: one for each time a tag comes, is nearest, and goes.
///
/// Pure: what it is given is all it knows. Its memory is that of the tags in range, and a word for each that has gone.
/// Hits come in the order of their arrival; one that is older than its tag's last is taken at that instant.
public struct PassageDetector: Sendable {
    private enum State {
        case visiting(Visit)
        /// Told already. It counts as a new visit when it comes back.
        case told(Told)
    }

    private struct Told {
        let at: BootInstant
        /// dBm, smoothed, at the strongest.
        let peak: Double
        let hasLingered: Bool
        var last: BootInstant
        var level: Visit.SmoothedLevel
        var lowest: Double
    }

    private let rules: PassageRules
    private var tags: [TagNumber: State] = [:]

    public init(rules: PassageRules = PassageRules()) {
        self.rules = rules
    }

    /// How many tags are in range, or have been told lately.
    public var known: Int { tags.count }

    /// - Returns: the passage that ended with this hit.
    public mutating func hear(_ hit: TagHit) -> Passage? {
        switch tags[hit.tag] {
        case nil:
            open(hit)
            return nil
        case .visiting(var visit):
            // What has gone silent is told here where nobody has called `elapse` in time.
            let hasGone = visit.isOver(at: hit.arrival, rules)
            if !hasGone { visit.add(hit, rules) }
            guard hasGone || visit.isOver(at: hit.arrival, rules) else {
                tags[hit.tag] = .visiting(visit)
                return nil
            }
            return end(visit, of: hit.tag, at: hit.arrival)
        case .told(var told):
            told.level.add(hit)
            if isBack(told, at: hit.arrival) {
                tags[hit.tag] = nil
                open(hit)
            } else {
                told.last = hit.arrival
                told.lowest = min(told.lowest, told.level.value)
                tags[hit.tag] = .told(told)
            }
            return nil
        }
    }

    /// Call it some times a second: tells of the tags that have gone silent.
    public mutating func elapse(to now: BootInstant) -> [Passage] {
        var passages: [Passage] = []
        for (tag, state) in tags {
            switch state {
            case .visiting(let visit) where visit.isOver(at: now, rules):
                passages.append(end(visit, of: tag, at: now))
            case .told(let told) where isForgotten(told, at: now): tags[tag] = nil
            default: break
            }
        }
        return passages.sorted { ($0.nearest, $0.tag) < ($1.nearest, $1.tag) }
    }

    /// Nothing more is told of these: who wears them has left.
    public mutating func forget(_ gone: some Sequence<TagNumber>) {
        for tag in gone { tags[tag] = nil }
    }

    private mutating func end(_ visit: Visit, of tag: TagNumber, at now: BootInstant) -> Passage {
        let passage = visit.passage(of: tag, rules)
        tags[tag] = .told(
            Told(
                at: now, peak: visit.peak, hasLingered: passage.flags.contains(.lingered), last: visit.last,
                level: visit.level, lowest: visit.level.value))
        return passage
    }

    /// It has been far away meanwhile, and is near again; or so long has passed that a far one counts as well.
    private func isBack(_ told: Told, at now: BootInstant) -> Bool {
        // Of somebody who stands near the box the signal strays by as much within minutes.
        let rise = told.hasLingered ? 2 * rules.fall : rules.fall
        let hasRisen = told.level.value > told.lowest + rise
        return hasRisen
            && (told.level.value > told.peak - rules.fall || told.at.duration(to: now) >= rules.deadTime)
    }

    private func isForgotten(_ told: Told, at now: BootInstant) -> Bool {
        told.at.duration(to: now) >= rules.deadTime && told.last.duration(to: now) >= rules.silence
    }

    private mutating func open(_ hit: TagHit) {
        guard hit.rssi >= rules.opensAt else { return }
        tags[hit.tag] = .visiting(Visit(hit))
    }
}
