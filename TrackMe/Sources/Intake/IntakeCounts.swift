public import Store

/// Counts of an intake since its start.
public struct IntakeCounts: Hashable, Sendable {
    public internal(set) var messages = 0
    public internal(set) var batches = 0
    /// Readings that were not there before.
    public internal(set) var samples = 0
    /// Readings that came again.
    public internal(set) var repeated = 0
    public internal(set) var setAside: [DeadLetter.Reason: Int] = [:]

    public init() {}

    mutating func add(_ result: IntakeResult, messages count: Int) {
        messages += count
        batches += 1
        samples += result.fresh.count
        repeated += result.repeated
        setAside.merge(result.setAside, uniquingKeysWith: +)
    }
}
