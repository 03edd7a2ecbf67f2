/// Finds the values of one device's stream that contradict the intervals between their own beats, or that jump as no
/// body does. Pure; the values are given in the order of their arrival.
///
/// Its memory is of seconds and is not kept over a restart: the first value after it has nothing to be compared with.
public struct DoubtFinder: Hashable, Sendable {
    /// Intervals older than this say nothing of a heart rate: sensors average over less.
    private static let beatMemory = Duration.seconds(10)
    /// Three intervals have a median that one missed or extra beat does not move. The median, since fibrillation
    /// scatters the intervals.
    private static let beatsNeeded = 3
    /// In 10 s a heart of 300 beats a minute makes 50 intervals; more come from a device that lies.
    private static let beatsKept = 50
    /// Rate and beats may differ by so much, in beats a minute or in parts of the beats' rate, whichever is more: sensors
    /// average the rate over up to 15 s, and it trails behind in a sprint.
    private static let tolerance = (beats: 20.0, share: 0.2)
    /// A rate within a tenth of two times or half of the beats' is a miscount.
    private static let miscount = 0.1

    /// Values further apart in time are not compared.
    private static let jumpTime = Duration.seconds(3)
    /// A jump is settled by this number of values that agree with it, or once it has lasted for `settledAfter`. Five:
    /// an artefact of two or three beats is over by then.
    private static let settledBy = 5
    private static let settledAfter = Duration.seconds(10)

    /// The most that a value changes within `jumpTime`; nil for a kind that is not compared. A heart reaches 40 beats a
    /// minute more within some seconds of a start, not at once; a saturation of 8 % less takes half a minute without breath.
    private static func greatestStep(of kind: QuantityKind) -> Double? {
        switch kind {
        case .heartRate: 40
        case .oxygenSaturation: 8
        default: nil
        }
    }

    private struct Beat: Hashable {
        let interval: Double
        let at: BootInstant
    }

    private struct Sample: Hashable {
        let value: Double
        let at: BootInstant
    }

    private struct Track: Hashable {
        /// The newest value that nothing doubts.
        var settled: Sample
        var jump: Jump?
    }

    private struct Jump: Hashable {
        let since: BootInstant
        /// Values after the first.
        var count = 0
        var newest: Double
    }

    private var beats: [Beat] = []
    private var tracks: [QuantityKind: Track] = [:]

    public init() {}

    /// Doubts about the values of one notification that arrived at `now`, by their kinds.
    public mutating func doubts(about quantities: [Quantity], at now: BootInstant) -> [QuantityKind: Doubts] {
        let own = quantities.filter { $0.kind == .rrInterval && $0.isPlausible }.map(\.value)
        beats.removeAll { $0.at.duration(to: now) > Self.beatMemory }
        beats += own.map { Beat(interval: $0, at: now) }
        beats.removeFirst(max(beats.count - Self.beatsKept, 0))
        var found: [QuantityKind: Doubts] = [:]
        for quantity in quantities where quantity.isPlausible {
            guard let step = Self.greatestStep(of: quantity.kind) else { continue }
            let isOfHeart = quantity.kind == .heartRate && !own.isEmpty
            let contradiction = isOfHeart ? contradiction(of: quantity.value) : []
            let isSupported = isOfHeart && supports(quantity.value)
            let isJump = follow(quantity, step: step, isSupported: isSupported, at: now)
            found[quantity.kind] = contradiction.union(isJump ? .jump : [])
        }
        return found
    }

    // MARK: Beats

    private static func rate(of intervals: some Sequence<Double>) -> Double {
        let sorted = intervals.sorted()
        return 60_000 / sorted[sorted.count / 2]
    }

    private static func agree(_ rate: Double, _ beats: Double) -> Bool {
        abs(rate - beats) <= max(tolerance.beats, tolerance.share * beats)
    }

    /// Beats of this moment, which lead where the rate has just changed.
    private var newestRate: Double? {
        beats.count < Self.beatsNeeded ? nil : Self.rate(of: beats.suffix(Self.beatsNeeded).map(\.interval))
    }

    private func supports(_ rate: Double) -> Bool { newestRate.map { Self.agree(rate, $0) } ?? false }

    private func contradiction(of rate: Double) -> Doubts {
        guard let newestRate else { return [] }
        let longer = Self.rate(of: beats.map(\.interval))
        guard !Self.agree(rate, newestRate), !Self.agree(rate, longer) else { return [] }
        let factor = rate / longer
        let isMiscount = abs(factor / 2 - 1) <= Self.miscount || abs(factor * 2 - 1) <= Self.miscount
        return isMiscount ? .miscountedBeats : .contradictsBeats
    }

    // MARK: Jumps

    /// - Returns: whether the value is part of a jump that nothing has settled yet.
    private mutating func follow(
        _ quantity: Quantity, step: Double, isSupported: Bool, at now: BootInstant
    ) -> Bool {
        let sample = Sample(value: quantity.value, at: now)
        guard !isSupported, var track = tracks[quantity.kind] else { return settle(sample, quantity.kind) }
        let isBack = abs(sample.value - track.settled.value) <= step
        guard var jump = track.jump else {
            guard !isBack, track.settled.at.duration(to: now) <= Self.jumpTime else {
                return settle(sample, quantity.kind)
            }
            track.jump = Jump(since: now, newest: sample.value)
            tracks[quantity.kind] = track
            return true
        }
        guard !isBack, jump.since.duration(to: now) < Self.settledAfter else {
            return settle(sample, quantity.kind)
        }
        if abs(sample.value - jump.newest) > step {
            jump = Jump(since: now, newest: sample.value)
        } else {
            jump.count += 1
            jump.newest = sample.value
            if jump.count >= Self.settledBy { return settle(sample, quantity.kind) }
        }
        track.jump = jump
        tracks[quantity.kind] = track
        return true
    }

    private mutating func settle(_ sample: Sample, _ kind: QuantityKind) -> Bool {
        tracks[kind] = Track(settled: sample)
        return false
    }
}
