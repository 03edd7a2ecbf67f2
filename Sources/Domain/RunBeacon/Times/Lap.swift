import GatewayModel

/// From one passing of a runner that counts to the next, or from the start of their wave.
struct Lap: Sendable {
    /// Metres from the start: a shorter distance is mostly waiting in the crowd.
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

    /// Whether nobody is likely to have run it. The records over 400 m, a mile and 3,000 m are 9.3, 7.2 and 6.8 m/s
    /// (World Athletics).
    func isFast(to end: Int, _ distances: [Double]) -> Bool {
        guard order > 0, let took, order < end, distances.indices.contains(end - 1) else { return false }
        let metres = distances[end - 1] - distances[order - 1]
        let seconds = Double(took.wholeMilliseconds) / 1_000
        guard metres >= Self.shortestStart else { return false }
        if seconds * Self.record(over: metres) < metres { return true }
        return pace(to: end, distances).map(earlier.isTooFast) ?? true
    }

    /// Metres a second.
    private static func record(over metres: Double) -> Double {
        metres < 800 ? 9.3 : metres < 3_000 ? 7.6 : 6.8
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

/// How fast a runner's laps past one box were, to tell one that took far longer: another may lie in it that was not
/// heard.
struct LapPaces: Sendable {
    /// Two laps instead of one take twice the time, somewhat less for a runner that hurries at the end. A
    /// runner that tires or walks a hill takes a third more.
    private static let long = 1.6
    /// Nobody runs one lap in much less than the others.
    private static let whole = 0.6

    /// Seconds a metre, ascending: of laps from here to here.
    private var paces: [Double] = []
    /// Of the way from the start.
    private var first: Double?

    mutating func add(_ pace: Double, isFromStart: Bool) {
        if isFromStart {
            first = pace
        } else {
            paces.insert(pace, at: paces.firstIndex { $0 > pace } ?? paces.count)
        }
    }

    /// Whether a lap of this pace may be two. By the way from the start only where there is no better.
    func isLong(_ pace: Double) -> Bool { (usual ?? first).map { pace >= Self.long * $0 } ?? false }

    /// Whether a lap of this pace may be one, and no part of one.
    func isWhole(_ pace: Double) -> Bool { usual.map { pace >= Self.whole * $0 } ?? false }

    /// Whether somebody of these paces may have run a lap of this one: by the fastest, since laps may have been missed in the
    /// others. Where there are none, anybody may.
    func isPossible(_ pace: Double) -> Bool {
        [paces.first, first].compactMap(\.self).min().map { pace >= Self.whole * $0 } ?? true
    }

    /// Whether a lap of this pace is no lap of this runner: by two others at least, since one alone may have been two.
    func isTooFast(_ pace: Double) -> Bool { paces.count > 1 && !isPossible(pace) }

    /// The median, of two the faster: one that was itself two of them hides no other.
    private var usual: Double? { paces.isEmpty ? nil : paces[(paces.count - 1) / 2] }
}
