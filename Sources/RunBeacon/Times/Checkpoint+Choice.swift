extension Checkpoint.Rule {
    /// Which of two passings of one runner with the same order counts. Whoever reads passings judges by the same rule
    /// as the box that tells them.
    public func prefers(_ new: Passing, to old: Passing) -> Bool {
        let (newIsStray, oldIsStray) = (new.flags.contains(.stray), old.flags.contains(.stray))
        guard newIsStray == oldIsStray else { return oldIsStray }
        switch self {
        case .first: return new.time < old.time
        case .last: return new.time > old.time
        case .best: return Self.clarity(of: new) > Self.clarity(of: old)
        }
    }

    /// In falling weight: that it is a passage at all, how sure its time is, and how many heard it.
    private static func clarity(of passing: Passing) -> (Int, Duration, Int) {
        let doubts = passing.flags.intersection([.lingered, .noPeak, .oneSided, .fewHits, .cloned]).count
        return (-doubts, .zero - (passing.bound ?? .seconds(86_400)), passing.hits)
    }
}

extension Checkpoint {
    /// Passings of one runner that are closer than this are one. The minimum split where the organiser gives one. Else
    /// half a minute, in which a runner's second tag is heard and nobody comes round again; at a start five minutes,
    /// since whoever stands in its crowd comes near the mat more than once before leaving it.
    var window: Duration {
        if minimumSplit > .zero { return minimumSplit }
        return rule == .last ? .seconds(300) : .seconds(30)
    }
}
