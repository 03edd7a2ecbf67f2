public import GatewayModel

/// A runner was at a checkpoint by their positions: where no box stands, or none has heard the tag.
public struct LineCrossing: Hashable, Sendable {
    public let point: RunPoint
    public let time: WallTime
    /// The true instant lies within ± this in 95 of 100 cases.
    public let bound: Duration

    public init(point: RunPoint, time: WallTime, bound: Duration) {
        (self.point, self.time, self.bound) = (point, time, bound)
    }

    /// As it is kept and counted beside those of the boxes, whose times are better.
    ///
    /// - Parameter gateway: the box that has worked it out.
    public func passing(
        id: MessageID, run: RunID, bib: Bib, gateway: GatewayID, clock: ClockState
    ) -> Passing {
        Passing(
            id: id, run: run, checkpoint: point.checkpoint, gateway: gateway, bib: bib, order: point.order,
            time: time, first: time, last: time, clock: clock, bound: clock.bound.map { $0 + bound }, hits: 0,
            strongest: -127, method: .gpsLine, flags: clock.bound == nil ? [.clockUnset] : [])
    }
}
