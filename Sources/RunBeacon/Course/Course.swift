public import GatewayModel

/// A line over the ground, from the start to the finish.
public struct Course: Hashable, Sendable {
    /// Two at least.
    public let points: [Coordinates]

    /// Nil for fewer than two points: that is no line.
    public init?(_ points: [Coordinates]) {
        guard points.count >= 2 else { return nil }
        self.points = points
    }
}
