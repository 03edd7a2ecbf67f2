import GatewayModel

/// The latest passing of a runner that counts, and what the next one is judged by.
struct HeldPassing: Sendable {
    /// From one passing of a runner that counts to the next, or from the start of their wave.
    struct Lap: Sendable {
        /// Of the passing that it begins with; 0 for the start.
        let order: Int
        let took: Duration
        /// Of the laps before it.
        let earlier: LapPaces
    }

    let passing: Passing
    /// Nil for one of an earlier start of the box, as is the tag.
    let instant: BootInstant?
    let tag: TagNumber?
    /// The one that it ends. Nil where nobody can say how long it took.
    let lap: Lap?

    /// By the clock that is never stepped, where both are of this start.
    func gap(to time: WallTime, _ instant: BootInstant?) -> Duration {
        if let own = self.instant, let instant { return own.duration(to: instant) }
        return passing.time.duration(to: time)
    }

    /// Whether a tag was near the box from before it until after it. Somebody who stays is told of more than once, and has
    /// run no lap meanwhile; nor does a spare tag in a bag beside the box make one.
    func lies(in passage: Passage) -> Bool {
        instant.map { passage.first <= $0 && $0 <= passage.last } ?? false
    }

    /// The lap that one so much later ends: the next, or the same where that counts in place of this one.
    /// - Parameter distances: of the checkpoint.
    func lap(to order: Int, after gap: Duration, _ distances: [Double]) -> Lap? {
        guard let own = passing.order else { return nil }
        guard order > own else {
            return lap.map { Lap(order: $0.order, took: $0.took + gap, earlier: $0.earlier) }
        }
        var paces = lap?.earlier ?? LapPaces()
        if let lap, let pace = lap.pace(to: own, distances) { paces.add(pace, isFromStart: lap.order == 0) }
        return Lap(order: own, took: gap, earlier: paces)
    }
}

extension HeldPassing.Lap {
    /// Metres from the start: what is shorter is mostly waiting in the crowd.
    private static let shortestStart = 200.0

    /// Seconds a metre. Nil where the course has no such lap, for it was changed, where nobody can have run it so fast, and
    /// of a way from the start that says nothing of the laps, since it is short beside them.
    func pace(to end: Int, _ distances: [Double]) -> Double? {
        guard order < end, distances.indices.contains(end - 1) else { return nil }
        let metres = distances[end - 1] - (order == 0 ? 0 : distances[order - 1])
        if order == 0 {
            let lap = distances.count > end ? distances[end] - distances[end - 1] : 0
            guard metres >= max(Self.shortestStart, lap / 2) else { return nil }
        }
        let seconds = Double(took.wholeMilliseconds) / 1_000
        return metres > 0 && seconds * TrackRules().fastest >= metres ? seconds / metres : nil
    }

    /// Whether another one may lie in it that was not heard.
    func isLong(to end: Int, _ distances: [Double]) -> Bool {
        pace(to: end, distances).map(earlier.isLong) ?? false
    }

    /// Whether it may be one by itself, and not a part of one.
    func isWhole(to end: Int, _ distances: [Double]) -> Bool {
        pace(to: end, distances).map(earlier.isWhole) ?? false
    }
}
