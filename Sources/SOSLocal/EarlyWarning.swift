public import GatewayModel

/// A combined score of several vital signs that asks for attention, and the reading that completed it.
public struct EarlyWarning: Hashable, Codable, Sendable {
    /// NEWS2 points, of those parameters that are known.
    public let points: Int
    /// How many of the seven parameters are known: the oxygen a person is given is by their plan, how awake
    /// they are is not measured by anything.
    public let parameters: Int
    /// The score that the plan warns from. With fewer points, one parameter alone scores 3.
    public let limit: Int
    /// The reading that completed it.
    public let reading: Reading

    public init(points: Int, parameters: Int, limit: Int, reading: Reading) {
        self.points = points
        self.parameters = parameters
        self.limit = limit
        self.reading = reading
    }
}
