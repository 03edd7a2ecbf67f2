import GatewayModel

/// Holds out positions that nobody can have reached, until enough others agree with them.
struct SpeedGate: Hashable, Sendable {
    struct Seen: Hashable, Sendable {
        let coordinates: Coordinates
        /// Metres, one standard deviation.
        let error: Double
        let at: BootInstant
    }

    enum Verdict: Hashable, Sendable {
        case passed, held
        /// What was held out is where the runner is.
        case believed
    }

    /// Positions far away that agree with each other.
    private struct Suspects: Hashable, Sendable {
        let first: Seen
        var count: Int
        var latest: Seen
    }

    /// Over so long a speed shows that two positions in a row hide in their errors.
    private static let stretch = Duration.seconds(15)

    private var last: Seen?
    /// One and two stretches ago, or a little more.
    private var before: Seen?
    private var longBefore: Seen?
    private var suspects: Suspects?

    mutating func judge(_ seen: Seen, _ rules: TrackRules) -> Verdict {
        guard
            [last, longBefore].contains(where: { $0.map { !Self.isReachable(seen, from: $0, rules) } ?? false })
        else {
            pass(seen)
            return .passed
        }
        guard var suspects, Self.isReachable(seen, from: suspects.latest, rules),
            Self.isReachable(seen, from: suspects.first, rules)
        else {
            suspects = Suspects(first: seen, count: 1, latest: seen)
            return .held
        }
        suspects.count += 1
        suspects.latest = seen
        self.suspects = suspects
        guard suspects.count >= rules.leapPositions,
            suspects.first.at.duration(to: seen.at) >= rules.leapTime
        else { return .held }
        (before, longBefore) = (nil, nil)
        pass(seen)
        return .believed
    }

    private mutating func pass(_ seen: Seen) {
        (last, suspects) = (seen, nil)
        if before.map({ $0.at.duration(to: seen.at) >= Self.stretch }) ?? true {
            (before, longBefore) = (seen, before)
        }
    }

    private static func isReachable(_ seen: Seen, from last: Seen, _ rules: TrackRules) -> Bool {
        let seconds = Double(last.at.duration(to: seen.at).wholeNanoseconds) / 1e9
        // 3 deviations of the difference, of 1,000 positions 997.
        let blur = 3 * (last.error * last.error + seen.error * seen.error).squareRoot()
        return LocalPlane.metres(last.coordinates, seen.coordinates) - blur <= rules.fastest * max(0, seconds)
    }
}
