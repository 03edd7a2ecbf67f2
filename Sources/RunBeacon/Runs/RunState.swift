/// How far a run is.
public enum RunState: String, CaseIterable, Hashable, Sendable {
    /// Before the first start.
    case idle
    case underway
    case over
    /// For good, whatever the time is.
    case cancelled
}
