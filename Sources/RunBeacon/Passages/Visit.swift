import GatewayModel
import RealModule

/// A tag while it is in range: its hits so far, and where its signal stands.
struct Visit: Sendable {
    /// Of the smoothed signal: a few hits at 100 ms, less than the second that a runner takes past the box.
    private static let smoothing = 0.4
    /// Kept for the estimate: the longest passage there is, at 100 ms. What comes after them is only counted.
    private static let capacity = 1_280
    /// The estimate takes so many points at most; neighbouring hits are averaged into them.
    private static let points = 48
    /// dB. A peak that is lower may be fading.
    private static let clearPeak = 6.0
    private static let fewHits = 5
    /// With fewer of the hits than this before or after it, one half of the passage was not heard.
    private static let half = 0.05

    private struct Kept {
        /// Seconds since the first.
        let time: Double
        let rssi: Int8
    }

    let first: BootInstant
    private(set) var last: BootInstant
    private(set) var count = 1
    private(set) var strongest: Int8
    private var kept: [Kept]
    private(set) var level: SmoothedLevel
    private(set) var peak: Double
    /// Since when the signal has been far below its peak.
    private var fallen: BootInstant?

    init(_ hit: TagHit) {
        (first, last, strongest) = (hit.arrival, hit.arrival, hit.rssi)
        kept = [Kept(time: 0, rssi: hit.rssi)]
        level = SmoothedLevel(hit)
        peak = level.value
    }

    mutating func add(_ hit: TagHit, _ rules: PassageRules) {
        level.add(hit)
        peak = max(peak, level.value)
        fallen = level.value < peak - rules.fall ? fallen ?? hit.arrival : nil
        (last, strongest, count) = (hit.arrival, max(strongest, hit.rssi), count + 1)
        guard kept.count < Self.capacity else { return }
        kept.append(Kept(time: seconds(hit.arrival), rssi: hit.rssi))
    }

    func isOver(at now: BootInstant, _ rules: PassageRules) -> Bool {
        if last.duration(to: now) >= rules.silence || first.duration(to: now) >= rules.longest { return true }
        return fallen.map { $0.duration(to: now) >= rules.reaction } ?? false
    }

    func passage(of tag: TagNumber, _ rules: PassageRules) -> Passage {
        let estimate = PassageFit.estimate(points)
        var flags: Set<Passage.Flag> = count < Self.fewHits ? [.fewHits] : []
        if first.duration(to: last) >= rules.longest - rules.silence { flags.insert(.lingered) }
        if let estimate {
            if estimate.prominence < Self.clearPeak { flags.insert(.noPeak) }
            let share = Double(kept.count { $0.time < estimate.nearest }) / Double(kept.count)
            if min(share, 1 - share) < Self.half { flags.insert(.oneSided) }
        }
        let nearest = estimate?.nearest ?? 0
        return Passage(
            tag: tag, nearest: first.advanced(by: .nanoseconds(Int64(nearest * 1e9))),
            bound: .nanoseconds(Int64((estimate?.bound ?? Self.loneHitBound) * 1e9)), first: first, last: last,
            hits: count, strongest: strongest, flags: flags)
    }

    /// Seconds: a single hit tells only that the tag was in range, which is some 30 m at 3 m/s.
    private static let loneHitBound = 10.0

    private func seconds(_ instant: BootInstant) -> Double {
        Double(first.duration(to: instant).wholeNanoseconds) / 1e9
    }

    private var points: [PassageFit.Hit] {
        let size = (kept.count + Self.points - 1) / Self.points
        return stride(from: 0, to: kept.count, by: size).map { start in
            let group = kept[start..<min(start + size, kept.count)]
            return PassageFit.Hit(
                time: group.reduce(0) { $0 + $1.time } / Double(group.count),
                rssi: group.reduce(0) { $0 + Double($1.rssi) } / Double(group.count))
        }
    }

    /// dBm, an exponential mean by time.
    struct SmoothedLevel: Sendable {
        private(set) var value: Double
        private var at: BootInstant

        init(_ hit: TagHit) {
            (value, at) = (Double(hit.rssi), hit.arrival)
        }

        mutating func add(_ hit: TagHit) {
            let seconds = Double(at.duration(to: hit.arrival).wholeNanoseconds) / 1e9
            let share = 1 - Double.exp(-max(0, seconds) / Visit.smoothing)
            value += share * (Double(hit.rssi) - value)
            at = hit.arrival
        }
    }
}
