/// Counts of an intake since its start.
public struct IntakeCounts: Hashable, Sendable {
    public internal(set) var messages = 0
    public internal(set) var samples = 0
    public internal(set) var setAside = 0

    public init() {}
}
