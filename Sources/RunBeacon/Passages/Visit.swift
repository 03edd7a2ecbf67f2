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
    /// Of who stays only this much is kept, in which everybody leaves the range, and is near the line before.
    private static let memory = Duration.seconds(45)
    /// dB a second: of who stays, the strongest is forgotten at this pace, or one moment near the box would make
    /// everything after it a fall.
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
    /// It was told of already, as of one who stays. What is told next is the leaving.
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

    /// Whether it has been heard to go for half of what is waited for: by then it has been nearest, but for a body in the way
    /// for as long.
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
