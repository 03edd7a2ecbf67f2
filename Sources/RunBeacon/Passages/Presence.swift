/// What somebody may have done near the box, as far as one knows before looking at the strengths.
struct Presence {
    let ways: [PassageCurve.Way]
    /// A logarithm: how much less likely the ways are on which somebody stands than the one straight past.
    var odds = 0.0
    /// Seconds for which what stands on the way stays alike. Some 2 m at 3 m/s; who stands moves about a little.
    var memory = 2.0
    /// What the model does not know widens the bound: chosen so that 95 % lie within it in all simulated scenarios.
    var caution = 1.8

    /// Came and went within the time of a passage.
    static let passing = Presence(ways: [.past], memory: 0.6, caution: 1.3)
    /// Walked past slowly or far away, which is seen more often, or stood.
    static let long = Presence(ways: [.past] + standing, odds: -3)
    /// Has been here for minutes, and stays.
    static let staying = Presence(ways: [.past, .coming])
    /// Has been here for minutes, and went.
    static let leaving = Presence(ways: [.past] + standing)

    /// At the line, or behind it in the crowd of a start: 3 dB weaker than at the line, 12, 22.
    private static let standing = [0.0, 1, 3, 8].map { PassageCurve.Way.leaving(from: $0) }
}
