public import GatewayModel

/// Place of a runner between two checkpoints, projected by the pace of the last leg. Nobody has seen the runner there.
public struct SplitProjection: Hashable, Sendable {
    /// Metres from the start, up to the next point.
    public let distance: Double
    public let secondsPerKilometre: Double
    public let next: RunPoint
    public let expected: WallTime
    /// The true time lies within ± this, as far as a pace can tell.
    public let bound: Duration

    /// Shortest way from the start that says something of a pace: less is mostly waiting in the crowd.
    private static let shortestStart = 200.0
    /// A runner that tires or walks a hill takes a third more than on the leg before (`LapPaces`).
    private static let paceError = 1.0 / 3

    /// Nil for a runner that is not under way, has no known pace or no point ahead, and for one that is later than the bound.
    ///
    /// - Parameter points: all of the run.
    public init?(of standing: Standing, points: [RunPoint], at now: WallTime) {
        guard standing.state == .running, let last = standing.splits.last,
            let next = points.first(where: { $0.distance > last.point.distance }),
            let pace = Self.secondsPerMetre(standing.splits)
        else { return nil }
        let leg = (next.distance - last.point.distance) * pace
        let expected = last.time.millisecondsSince1970 + Int64((leg * 1_000).rounded())
        let bound = Duration.milliseconds(Int64(leg * Self.paceError * 1_000)).combined(
            with: last.bound ?? .zero)
        guard now.millisecondsSince1970 <= expected + bound.wholeMilliseconds else { return nil }
        let since = Double(max(0, now.millisecondsSince1970 - last.time.millisecondsSince1970)) / 1_000
        distance = min(next.distance, last.point.distance + since / pace)
        (secondsPerKilometre, self.next, self.bound) = (pace * 1_000, next, bound)
        self.expected = WallTime(millisecondsSince1970: expected)
    }

    /// Of the leg to the last split, from the split before or from the start of the wave.
    private static func secondsPerMetre(_ splits: [Split]) -> Double? {
        guard let last = splits.last else { return nil }
        let before = splits.last { $0.point.distance < last.point.distance }
        let metres = last.point.distance - (before?.point.distance ?? 0)
        guard before != nil || metres >= shortestStart else { return nil }
        let seconds = Double((last.gun - (before?.gun ?? .zero)).wholeMilliseconds) / 1_000
        return seconds * TrackRules().fastest >= metres && metres > 0 ? seconds / metres : nil
    }
}

extension RunPoint {
    /// Name for people, with its number where the runners pass the checkpoint several times: `lap 3`.
    ///
    /// - Parameter points: all of the run.
    public func name(among points: [RunPoint]) -> String {
        let isOne = !points.contains { $0.checkpoint == checkpoint && $0.order != order }
        return isOne ? checkpoint.text : "\(checkpoint) \(order)"
    }
}
