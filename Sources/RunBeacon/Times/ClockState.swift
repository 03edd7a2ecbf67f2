/// What disciplines the wall clock, best first.
public enum ClockSource: String, CaseIterable, Hashable, Codable, Sendable {
    /// The pulse of a satellite receiver.
    case pps
    /// The messages of a satellite receiver, late by the time they take.
    case gps
    case ntp
    /// Nothing: the time is as good as the oscillator since it last knew.
    case freeRunning = "free-running"
}

/// How good the wall clock was at an instant.
public struct ClockState: Hashable, Codable, Sendable {
    public let source: ClockSource
    /// The clock is right to within ± this, in 95 of 100 cases; nil where nobody can say, since it was never set.
    public let bound: Duration?

    public init(source: ClockSource, bound: Duration?) {
        self.source = source
        self.bound = bound
    }
}
