/// Rule of the settings: which calls are handed on to the outside service, and when.
public struct ForwardingRule: Hashable, Sendable {
    /// Longest wait for a dispatcher that the settings allow.
    public static let longestWait = Duration.seconds(600)

    /// Time that dispatchers have to take a confirmed call before it is handed on; zero hands on every call at once.
    public let wait: Duration
    public let includesDrills: Bool

    public init(wait: Duration, includesDrills: Bool) {
        (self.wait, self.includesDrills) = (wait, includesDrills)
    }
}
