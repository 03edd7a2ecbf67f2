import GatewayModel

/// From one passing of a runner that counts to the next, or from the start of their wave.
struct Lap: Sendable {
    /// Metres from the start: what is shorter is mostly waiting in the crowd.
    private static let shortestStart = 200.0

    /// Of the passing that it begins with; 0 for the start.
    let order: Int
    /// Nil where nobody can say: it judges no other then, and is not judged.
    let took: Duration?
    /// Of the laps before it.
    let earlier: LapPaces

    /// Seconds a metre. Nil where nobody can say, where the course has no such lap, for it was changed, where nobody can have
    /// run it so fast, and of a way from the start that says nothing of the laps, since it is short beside them.
    func pace(to end: Int, _ distances: [Double]) -> Double? {
        guard let took, order < end, distances.indices.contains(end - 1) else { return nil }
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

    /// Whether somebody may have run one in it at all.
    func isPossible(to end: Int, _ distances: [Double]) -> Bool {
        pace(to: end, distances).map(earlier.isPossible) ?? false
    }
}
