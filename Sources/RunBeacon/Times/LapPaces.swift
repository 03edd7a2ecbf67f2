/// How fast a runner's laps past one box were, to tell one that took far longer: another may lie in it that was not
/// heard.
struct LapPaces: Sendable {
    /// Two laps instead of one take twice the time, somewhat less of who hurries at the end. Who tires or walks a hill
    /// takes a third more.
    private static let long = 1.6

    /// Seconds a metre, ascending.
    private var paces: [Double] = []

    mutating func add(_ pace: Double) {
        paces.insert(pace, at: paces.firstIndex { $0 > pace } ?? paces.count)
    }

    /// By the median of those before, of two the faster: one that was itself two of them hides no other.
    func isLong(_ pace: Double) -> Bool {
        guard !paces.isEmpty else { return false }
        return pace >= Self.long * paces[(paces.count - 1) / 2]
    }
}
