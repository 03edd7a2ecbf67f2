public import GatewayModel

/// A combined score of several vital signs that asks for attention, and the reading that completed it.
public struct EarlyWarning: Hashable, Codable, Sendable {
    /// NEWS2 points, of those parameters that were measured.
    public let points: Int
    /// How many of the seven parameters were measured.
    public let parameters: Int
    /// The score that the plan warns from.
    public let limit: Int
    public let reading: Reading

    public init(points: Int, parameters: Int, limit: Int, reading: Reading) {
        self.points = points
        self.parameters = parameters
        self.limit = limit
        self.reading = reading
    }
}
