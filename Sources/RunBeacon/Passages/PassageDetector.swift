public import GatewayModel

/// From the hits of enrolled tags to their passages: one for each time a tag comes, is nearest, and goes. Who stays is
/// told of once while staying, and once on leaving.
///
/// Pure: what it is given is all it knows. Its memory is that of the tags in range, and a word for each that has gone.
/// Hits come in the order of their arrival; one that is older than its tag's last is taken at that instant.
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
    /// Where all are heard weakly, across a wide road, what is weak opens a passage.
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
            // What has gone silent is told here where nobody has called `elapse` in time.
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

    /// Of these tags those in range, as they stand: of whom a run ends. Nothing of them ends by that.
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
