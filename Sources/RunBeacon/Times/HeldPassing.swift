import GatewayModel

/// The latest passing of a runner that counts, and what the next one is judged by.
struct HeldPassing: Sendable {
    let passing: Passing
    /// Nil for one of an earlier start of the machine.
    let instant: BootInstant?
    /// Nil for one of an earlier start of the program.
    let tag: TagNumber?
    /// The one that it ends. Nil where nobody can say how long it took.
    let lap: Lap?

    /// By the clock that is never stepped, where both are of this start. Nil where they are not, and one of them was dated
    /// by a clock that nobody had set: nobody can say how long that was.
    func gap(to new: Passing, _ instant: BootInstant?) -> Duration? {
        gap(to: new.time, isKnown: new.bound != nil, instant)
    }

    /// - Parameter isKnown: whether the clock had been set that says `time`.
    func gap(to time: WallTime, isKnown: Bool, _ instant: BootInstant?) -> Duration? {
        if let own = self.instant, let instant { return own.duration(to: instant) }
        return isKnown && passing.bound != nil ? passing.time.duration(to: time) : nil
    }

    /// Whether a tag was near the box from before it until after it. Somebody who stays is told of more than once, and has
    /// run no lap meanwhile; nor does a spare tag in a bag beside the box make one.
    func lies(in passage: Passage) -> Bool {
        instant.map { passage.first <= $0 && $0 <= passage.last } ?? false
    }

    /// Whether the box began to listen after it: nobody has heard since then whether they went.
    func isBefore(_ since: BootInstant) -> Bool { instant.map { $0 < since } ?? true }

    /// The lap that one so much later ends: the next, or the same where that counts in place of this one.
    /// - Parameters:
    ///   - gap: nil where nobody can say.
    ///   - distances: of the checkpoint.
    func lap(to order: Int, after gap: Duration?, _ distances: [Double]) -> Lap? {
        guard let own = passing.order else { return nil }
        guard order > own else {
            return lap.map { lap in
                let took = lap.took.flatMap { took in gap.map { took + $0 } }
                return Lap(order: lap.order, took: took, earlier: lap.earlier)
            }
        }
        var paces = lap?.earlier ?? LapPaces()
        if let lap, let pace = lap.pace(to: own, distances) { paces.add(pace, isFromStart: lap.order == 0) }
        return Lap(order: own, took: gap, earlier: paces)
    }
}
