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

    /// Of this box, for its carrier.
    public init(_ fix: Fix) {
        self.init(coordinates: fix.coordinates, accuracy: fix.horizontalError, arrival: fix.arrival)
    }
}

/// Filter for reports of a runner's position that are newer than the last one.
///
/// By the clock of each source, where it has one: a report that is replayed or was kept on the way comes with
/// an old time and arrives new. And by when it held by this box. A runner has few sources: those that the box
/// was told of.
struct ReportOrder: Hashable, Sendable {
    /// A source with a wrong clock for a moment must not lock itself out for a year: a time that lies farther
    /// ahead of this box's is taken for none.
    private static let ahead: Int64 = 600_000

    private var measured: BootInstant?
    private var sourceTimes: [DeviceID: WallTime] = [:]

    func isNewer(_ report: PositionReport) -> Bool {
        if let measured, report.measured.boot <= measured { return false }
        guard let last = report.source.flatMap({ sourceTimes[$0] }), let time = Self.time(of: report) else {
            return true
        }
        return time > last
    }

    mutating func take(_ report: PositionReport) {
        measured = report.measured.boot
        if let source = report.source, let time = Self.time(of: report) { sourceTimes[source] = time }
    }

    private static func time(of report: PositionReport) -> WallTime? {
        report.sourceTime.flatMap {
            $0.millisecondsSince1970 <= report.arrival.wall.millisecondsSince1970 + ahead ? $0 : nil
        }
    }
}
