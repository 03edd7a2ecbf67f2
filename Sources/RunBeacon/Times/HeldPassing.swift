import GatewayModel

/// The latest passing of a runner that counts, and what the next one is judged by.
struct HeldPassing: Sendable {
    let passing: Passing
    /// Nil for one of an earlier start of the box, as is the tag.
    let instant: BootInstant?
    let tag: TagNumber?
    /// Of the order before.
    let before: WallTime?
    /// Of the laps up to it.
    let laps: LapPaces

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

    /// Seconds a metre from it to one of a later order. Nil where the course has no such lap: it was changed.
    /// - Parameter distances: of the checkpoint.
    func pace(to order: Int, at time: WallTime, _ instant: BootInstant?, _ distances: [Double]) -> Double? {
        guard let own = passing.order, own < order, distances.indices.contains(own - 1),
            distances.indices.contains(order - 1)
        else { return nil }
        let seconds = Double(gap(to: time, instant).wholeMilliseconds) / 1_000
        return seconds / (distances[order - 1] - distances[own - 1])
    }
}
