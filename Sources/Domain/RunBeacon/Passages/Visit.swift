import GatewayModel

/// A tag while it is in range: its hits so far, and where its signal stands.
struct Visit: Sendable {
    /// dB. A peak that is lower may be fading.
    private static let clearPeak = 6.0
    private static let fewHits = 5
    /// With fewer of the hits than this before or after it, one half of the passage was not heard.
    private static let half = 0.05
    /// Seconds: a single hit tells only that the tag was in range, which is some 30 m at 3 m/s. Two or three are mostly
    /// close to each other, and tell hardly more than one.
    private static let loneHitBound = 10.0
    /// Of a tag that stays only this much is kept: everybody leaves the range in it, and is near the line
    /// before.
    private static let memory = Duration.seconds(45)
    /// dB a second: for a tag that stays, the strongest hit is forgotten at this pace, or one moment near the
    /// box would make everything after it a fall.
    private static let forgetting = 0.15

    private let first: BootInstant
    private(set) var last: BootInstant
    private var count = 1
    private var strongest: Int8
    private var kept: KeptHits
    private(set) var level: SmoothedLevel
    private(set) var peak: Double
    private var peakAt: BootInstant
    /// Since when the signal has been far below its peak.
    private var fallen: BootInstant?
    /// It was told already, as a tag that stays. The next report is the leaving.
    private(set) var isStaying = false

    init(_ hit: TagHit) {
        (first, last, strongest, peakAt) = (hit.arrival, hit.arrival, hit.rssi, hit.arrival)
        kept = KeptHits(hit)
        level = SmoothedLevel(hit)
        peak = level.value
    }

    mutating func add(_ hit: TagHit, _ rules: PassageRules) {
        let arrival = max(last, hit.arrival)
        if isStaying { forget(before: arrival) }
        level.add(hit)
        if level.value >= peak { (peak, peakAt) = (level.value, arrival) }
        let fall = isLong(at: arrival, rules) ? rules.longFall : rules.fall
        fallen = level.value < peak - fall ? fallen ?? arrival : nil
        (last, strongest, count) = (arrival, max(strongest, hit.rssi), count + 1)
        kept.add(TagHit(tag: hit.tag, antenna: hit.antenna, rssi: hit.rssi, arrival: arrival))
    }

    private mutating func forget(before arrival: BootInstant) {
        peak -= Self.forgetting * Self.seconds(last.duration(to: arrival))
        kept.drop(before: arrival.advanced(by: .zero - Self.memory))
    }

    private func isLong(at now: BootInstant, _ rules: PassageRules) -> Bool {
        first.duration(to: now) >= rules.long
    }

    func isTooLong(at now: BootInstant, _ rules: PassageRules) -> Bool {
        first.duration(to: now) >= rules.longest
    }

    func isOver(at now: BootInstant, _ rules: PassageRules) -> Bool {
        let silence = strongest < rules.opensAt ? rules.farSilence : rules.silence
        if last.duration(to: now) >= silence || !isStaying && isTooLong(at: now, rules) { return true }
        return fallen.map { $0.duration(to: now) >= rules.reaction } ?? false
    }

    /// Whether it has been heard to go for half of the waiting time: by then it has been nearest, but for a
    /// body in the way for as long.
    func isGoing(at now: BootInstant, _ rules: PassageRules) -> Bool {
        fallen.map { $0.duration(to: now) >= rules.reaction / 2 } ?? false
    }

    /// It has been told of, and is still here.
    mutating func stay(_ rules: PassageRules) {
        isStaying = true
        forget(before: last)
    }

    func passage(of tag: TagNumber, _ rules: PassageRules) -> Passage {
        let points = kept.points(around: Self.seconds(first.duration(to: peakAt)))
        let presence = presence(rules)
        let estimate = PassageFit.joined(points.compactMap { PassageFit.estimate($0, presence) })
        var flags: Set<Passage.Flag> = count < Self.fewHits ? [.fewHits] : []
        if isStaying || hasLingered(rules) { flags.insert(.lingered) }
        if let estimate {
            if estimate.prominence < Self.clearPeak { flags.insert(.noPeak) }
            let share = kept.share(before: estimate.nearest)
            if min(share, 1 - share) < Self.half { flags.insert(.oneSided) }
        }
        return Passage(
            tag: tag, nearest: first.advanced(by: Self.duration(estimate?.nearest ?? 0)),
            bound: Self.duration(max(estimate?.bound ?? Self.loneHitBound, leastBound)), first: first,
            last: last, hits: count,
            strongest: strongest, flags: flags)
    }

    private func hasLingered(_ rules: PassageRules) -> Bool {
        first.duration(to: last) >= rules.longest - rules.silence
    }

    private func presence(_ rules: PassageRules) -> Presence {
        if isStaying { return .leaving }
        if hasLingered(rules) { return .staying }
        return isLong(at: last, rules) ? .long : .passing
    }

    /// Seconds.
    private var leastBound: Double { count < Self.fewHits ? Self.loneHitBound / Double(count) : 0 }

    private static func seconds(_ duration: Duration) -> Double { Double(duration.wholeNanoseconds) / 1e9 }

    private static func duration(_ seconds: Double) -> Duration { .nanoseconds(Int64(seconds * 1e9)) }
}

/// The hits of a visit, as far as the estimate needs them. Never more than `capacity`: then every second is left out.
struct KeptHits: Sendable {
    /// 8 bytes.
    private struct Kept {
        /// Tenths of milliseconds since the first.
        let time: UInt32
        let rssi: Int8
        let antenna: UInt8

        var seconds: Double { Double(time) / 10_000 }
    }

    /// A minute at 100 ms; the estimate averages hits far from the peak anyway. 5 KiB for each tag in range.
    private static let capacity = 640
    /// The estimate takes so many points on each side of the peak at most, of growing numbers of neighbouring hits.
    private static let groups: [Int] = [1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 8, 10, 12, 16, 24, 32]

    /// Seconds: where a radio hears little, it was deaf for so long at the peak.
    private static let gap = 1.0
    /// Tenths of milliseconds: 5 s.
    private static let slack: Int64 = 50_000

    private let first: BootInstant
    private var kept: [Kept]

    init(_ hit: TagHit) {
        first = hit.arrival
        kept = [Kept(time: 0, rssi: hit.rssi, antenna: hit.antenna)]
    }

    mutating func add(_ hit: TagHit) {
        if kept.count >= Self.capacity {
            kept = stride(from: 0, to: kept.count, by: 2).map { kept[$0] }
        }
        let tenths = first.duration(to: hit.arrival).wholeNanoseconds / 100_000
        kept.append(Kept(time: UInt32(clamping: tenths), rssi: hit.rssi, antenna: hit.antenna))
    }

    /// Leaves out hits before `instant`, now and then: not for each hit anew.
    mutating func drop(before instant: BootInstant) {
        let limit = first.duration(to: instant).wholeNanoseconds / 100_000
        guard let oldest = kept.first, Int64(oldest.time) < limit - Self.slack,
            let start = kept.firstIndex(where: { Int64($0.time) >= limit })
        else { return }
        kept.removeSubrange(..<start)
    }

    /// How much of it was heard before so many seconds.
    func share(before seconds: Double) -> Double {
        Double(kept.count { $0.seconds < seconds }) / Double(max(1, kept.count))
    }

    /// Those of each antenna that heard it before the peak and after it, in the order of time; of all, where none did. One
    /// that was pulled out or put back meanwhile has heard half of a passage, and takes its end for the middle.
    /// - Parameter peak: seconds at which it was strongest: near it each hit is a point of its own.
    func points(around peak: Double) -> [[PassageFit.Hit]] {
        let heard = Set(kept.map(\.antenna)).sorted().map { antenna in kept.filter { $0.antenna == antenna } }
        let whole = heard.filter { own in
            own.contains { $0.seconds <= peak + Self.gap } && own.contains { $0.seconds >= peak - Self.gap }
        }
        return (whole.isEmpty ? heard : whole).map { own in
            let middle = own.firstIndex { $0.seconds >= peak } ?? own.count
            let before = Self.grouped(own[..<middle].reversed()).reversed()
            return before + Self.grouped(own[middle...])
        }
    }

    private static func grouped(_ hits: some Collection<Kept>) -> [PassageFit.Hit] {
        var left = hits[...]
        // The rest beyond the last group is one more: seconds away nothing is decided.
        let sizes = groups + [hits.count]
        return sizes.compactMap { size in
            let group = left.prefix(size)
            left = left.dropFirst(size)
            guard !group.isEmpty else { return nil }
            let count = Double(group.count)
            return PassageFit.Hit(
                time: group.reduce(0) { $0 + $1.seconds } / count,
                rssi: group.reduce(0) { $0 + Double($1.rssi) } / count, count: count)
        }
    }
}
