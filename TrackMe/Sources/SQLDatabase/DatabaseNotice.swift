/// Word of a change, for the other processes with the same database.
///
/// A notice is a hint: it says that something is to be read again. The content is in the database.
public struct DatabaseNotice: Hashable, Sendable {
    /// Bytes of a topic and a text together; PostgreSQL takes no more than 8,000.
    public static let largest = 7_000

    /// Letters, digits and hyphens.
    public let topic: String
    public let text: String

    public init(_ topic: String, _ text: String = "") { (self.topic, self.text) = (topic, text) }
}

/// Event of a listener.
public enum NoticeEvent: Hashable, Sendable {
    /// - Parameter isOwn: whether this process has sent it.
    case notice(DatabaseNotice, isOwn: Bool)
    /// The listener begins to hear. It may have missed notices until now.
    case resumed
}

/// Listener of the notices of all processes with the same database.
public protocol NoticeListener: Sendable {
    /// Hands over each event until the task is cancelled, and connects again after each loss of the database.
    ///
    /// - Parameter hear: called on the listener's thread; must not block.
    func run(_ hear: @escaping @Sendable (NoticeEvent) -> Void) async throws
}
