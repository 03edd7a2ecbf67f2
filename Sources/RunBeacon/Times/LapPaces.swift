/// How fast a runner's laps past one box were, to tell one that took far longer: another may lie in it that was not
/// heard.
struct LapPaces: Sendable {
    /// Two laps instead of one take twice the time, somewhat less of who hurries at the end. Who tires or walks a hill
    /// takes a third more.
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

    /// The median, of two the faster: one that was itself two of them hides no other.
    private var usual: Double? { paces.isEmpty ? nil : paces[(paces.count - 1) / 2] }
}
