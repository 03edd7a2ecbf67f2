public import GatewayModel

/// Those who start together.
public struct Wave: Hashable, Codable, Sendable {
    public let id: WaveID
    /// The gun: gun times count from here.
    public let start: WallTime

    public init(id: WaveID, start: WallTime) {
        self.id = id
        self.start = start
    }
}
