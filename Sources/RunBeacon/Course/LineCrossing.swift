public import GatewayModel

/// A runner was at a checkpoint by their positions: where no box stands, or none has heard the tag.
public struct LineCrossing: Hashable, Sendable {
    public let point: RunPoint
    public let at: Moment
    /// The true instant lies within ± this in 95 of 100 cases.
    public let bound: Duration

    public init(point: RunPoint, at: Moment, bound: Duration) {
        (self.point, self.at, self.bound) = (point, at, bound)
    }

    public var time: WallTime { at.wall }

    /// As it is kept and counted beside those of the boxes, whose times are better.
    ///
    /// - Parameters:
    ///   - gateway: the box that has worked it out.
    ///   - clock: then.
    ///   - marks: what the clock makes doubtful.
    public func passing(
        id: MessageID, run: RunID, bib: Bib, gateway: GatewayID, clock: ClockState,
        marks: Set<Passing.Flag> = []
    ) -> Passing {
        Passing(
            id: id, run: run, checkpoint: point.checkpoint, gateway: gateway, bib: bib, order: point.order,
            time: time, first: time, last: time, clock: clock, bound: clock.bound.map { $0 + bound }, hits: 0,
            strongest: -127, method: .gpsLine, flags: marks.union(clock.bound == nil ? [.clockUnset] : []))
    }
}
