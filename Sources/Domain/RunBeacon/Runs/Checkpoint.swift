public import GatewayModel

/// A timing point on the course.
public struct Checkpoint: Hashable, Sendable {
    /// Which of the times at which a runner is near counts.
    public enum Rule: String, CaseIterable, Hashable, Codable, Sendable {
        /// A start: a runner that warms up near the mat leaves it for good once.
        case last
        /// A finish: a runner that comes back to cheer has finished before.
        case first
        /// A point that is passed: the one of the clearest peak.
        case best
    }

    /// Metres from the start. A thousand kilometres: more than any run.
    public static let reach = 0.0...1_000_000
    /// A day: nobody is longer on the way from one time to the next.
    public static let splits = Duration.zero...Duration.seconds(86_400)

    public let id: CheckpointID
    /// Metres from the start along the course, one for each time it is passed, ascending: a loop or an
    /// out-and-back passes one point several times. Never empty.
    public let distances: [Double]
    /// Times as the organiser wrote them; nil for the usual of each.
    public let writtenRule: Rule?
    /// The last time here ends the run.
    public let isFinish: Bool
    /// Between two passings of one runner at least, and before the first one after the start of the wave. A
    /// passing that comes sooner is kept and marked, and does not count.
    public let minimumSplit: Duration
    /// The box that stands there; nil where the run has one checkpoint, or another system times it.
    public let box: GatewayID?

    /// - Parameter rule: nil for the usual ones: see `rule(forOrder:)`.
    /// - Returns: nil where `distances` is empty, not ascending, or not within `reach`, and where the minimum split is not
    ///   within `splits`.
    public init?(
        id: CheckpointID, distances: [Double], isFinish: Bool = false, rule: Rule? = nil,
        minimumSplit: Duration = .zero, box: GatewayID? = nil
    ) {
        guard !distances.isEmpty, distances.allSatisfy(Self.reach.contains),
            zip(distances, distances.dropFirst()).allSatisfy({ $0 < $1 }), Self.splits.contains(minimumSplit)
        else { return nil }
        self.id = id
        self.distances = distances
        writtenRule = rule
        self.isFinish = isFinish
        self.minimumSplit = minimumSplit
        self.box = box
    }

    /// Which of a runner's passings counts as their time `order` here, 1 for the first. One box may stand at the start and at
    /// the finish: a start is left, and a finish reached.
    public func rule(forOrder order: Int) -> Rule {
        if let writtenRule { return writtenRule }
        if isFinish, order == distances.count { return .first }
        return order == 1 && distances[0] == 0 ? .last : .best
    }
}

extension Checkpoint: Codable {
    private enum Member: String, CodingKey { case id, distances, finish, rule, minimumSplit, box }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Member.self)
        let checkpoint = Checkpoint(
            id: try members.decode(CheckpointID.self, forKey: .id),
            distances: try members.decode([Double].self, forKey: .distances),
            isFinish: try members.decodeIfPresent(Bool.self, forKey: .finish) ?? false,
            rule: try members.decodeIfPresent(Rule.self, forKey: .rule),
            minimumSplit: .milliseconds(try members.decode(Int64.self, forKey: .minimumSplit)),
            box: try members.decodeIfPresent(GatewayID.self, forKey: .box))
        guard let checkpoint else {
            throw DecodingError.dataCorruptedError(
                forKey: .distances, in: members,
                debugDescription: "expected ascending distances and a minimum split, as far as any run goes")
        }
        self = checkpoint
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Member.self)
        try members.encode(id, forKey: .id)
        try members.encode(distances, forKey: .distances)
        try members.encode(isFinish, forKey: .finish)
        try members.encodeIfPresent(writtenRule, forKey: .rule)
        try members.encode(minimumSplit.wholeMilliseconds, forKey: .minimumSplit)
        try members.encodeIfPresent(box, forKey: .box)
    }
}
