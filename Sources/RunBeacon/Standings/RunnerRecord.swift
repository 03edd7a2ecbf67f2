import GatewayModel

/// One runner's passings, so far as they count.
struct RunnerRecord: Sendable {
    let participant: Participant
    let start: WallTime
    /// One for each point of the run, in its order.
    private var passings: [Passing?]
    var hasLeft = false

    init(_ participant: Participant, start: WallTime, points: Int) {
        self.participant = participant
        self.start = start
        passings = Array(repeating: nil, count: points)
    }

    /// - Returns: whether it changes anything.
    mutating func add(_ passing: Passing, at point: Int, by rule: Checkpoint.Rule) -> Bool {
        if let old = passings[point], old.id == passing.id || !passing.counts(before: old, by: rule) {
            return false
        }
        passings[point] = passing
        return true
    }

    func splits(_ points: [RunPoint]) -> [Split] {
        // The start, where the run has a point there: the first of the points lies at zero.
        let own = points.first.flatMap { $0.distance == 0 ? passings.first ?? nil : nil }
        return zip(points, passings).compactMap { point, passing in
            guard let passing else { return nil }
            return Split(
                point: point, time: passing.time, gun: Self.duration(start, passing.time),
                net: own.map { Self.duration($0.time, passing.time) }, bound: passing.bound,
                netBound: own.flatMap { Self.bound(from: $0, to: passing) }, method: passing.method)
        }
    }

    /// In quadrature, as the clock's error is put to a passage's and as two runners are compared: the start and this are two
    /// passages, which err by nothing that they have in common. Where one box timed both, what its clock was off by is in
    /// both bounds and not in the difference: then this is too much, and never too little. From a start to itself is zero,
    /// exactly.
    private static func bound(from start: Passing, to passing: Passing) -> Duration? {
        if start.id == passing.id { return .zero }
        guard let own = start.bound, let bound = passing.bound else { return nil }
        return own.combined(with: bound)
    }

    private static func duration(_ from: WallTime, _ to: WallTime) -> Duration {
        .milliseconds(to.millisecondsSince1970 - from.millisecondsSince1970)
    }
}
