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
    /// In which a runner's second tag is heard, and nobody comes round again.
    private static let pass = Duration.seconds(30)
    /// Whoever stands in the crowd of a start comes near the mat more than once before leaving it.
    private static let crowd = Duration.seconds(300)

    /// A passing of one runner that is so close to their time `order` is no other. The minimum split where the organiser
    /// gives one. Where nobody wrote that this is a start, and the course comes back to it, no longer than anybody needs to
    /// come round.
    func window(after order: Int) -> Duration {
        if minimumSplit > .zero { return minimumSplit }
        guard rule(forOrder: order) == .last else { return Self.pass }
        guard writtenRule == nil, distances.indices.contains(order) else { return Self.crowd }
        let metres = distances[order] - distances[order - 1]
        return min(Self.crowd, max(Self.pass, .seconds(metres / TrackRules().fastest)))
    }
}
