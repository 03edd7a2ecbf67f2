public import GatewayModel

/// One time at which a runner is due at a checkpoint: a loop passes one several times.
public struct RunPoint: Hashable, Sendable {
    public let checkpoint: CheckpointID
    /// 1 for the first time there.
    public let order: Int
    /// Metres from the start along the course.
    public let distance: Double

    public init(checkpoint: CheckpointID, order: Int, distance: Double) {
        (self.checkpoint, self.order, self.distance) = (checkpoint, order, distance)
    }
}

extension Run {
    /// All of them, from the start to the finish: what is to be passed, in the order in which it is passed.
    public var points: [RunPoint] {
        checkpoints.flatMap { checkpoint in
            checkpoint.distances.enumerated().map {
                RunPoint(checkpoint: checkpoint.id, order: $0.offset + 1, distance: $0.element)
            }
        }
        .sorted { ($0.distance, $0.checkpoint.text) < ($1.distance, $1.checkpoint.text) }
    }
}
