public import GatewayModel

/// Where a runner was, as a source tells it.
public struct PositionReport: Hashable, Sendable {
    public let coordinates: Coordinates
    /// Metres, ± in 95 of 100 cases, where the source says.
    public let accuracy: Double?
    /// The wearable it is from; nil for this box's own receiver.
    public let source: DeviceID?
    /// The source's own time of the position, where it has a clock. It orders the positions of one source; it is not
    /// held against this box's clock, which may be the one that is wrong.
    public let sourceTime: WallTime?
    /// When it held, by this box: the arrival, less how long it is known to have been on the way.
    public let measured: Moment
    public let arrival: Moment

    /// - Parameter age: on arrival; zero where nobody says.
    public init(
        coordinates: Coordinates, accuracy: Double?, source: DeviceID? = nil, sourceTime: WallTime? = nil,
        age: Duration = .zero, arrival: Moment
    ) {
        self.coordinates = coordinates
        // A source that says 0 or less says nothing.
        self.accuracy = accuracy.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
        (self.source, self.sourceTime) = (source, sourceTime)
        self.arrival = arrival
        measured = arrival.advanced(by: .zero - max(.zero, age))
    }

    /// Of a wearable.
    public init(_ position: WearablePosition) {
        self.init(
            coordinates: position.coordinates, accuracy: position.horizontalError, source: position.device,
            sourceTime: position.deviceTime, arrival: position.arrival)
    }

    /// The same by the clock of the race, which is not the one that the arrival was dated by.
    func dated(by clock: any RaceTimekeeping) -> PositionReport {
        let instant = arrival.boot
        return PositionReport(
            coordinates: coordinates, accuracy: accuracy, source: source, sourceTime: sourceTime,
            age: measured.boot.duration(to: instant),
            arrival: Moment(boot: instant, wall: clock.time(of: instant).time))
    }

    /// Of this box, for whom carries it.
    public init(_ fix: Fix) {
        self.init(coordinates: fix.coordinates, accuracy: fix.horizontalError, arrival: fix.arrival)
    }
}
