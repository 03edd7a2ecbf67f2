/// Reason for which a message of a `ConsumerSession` is not at the broker.
public enum PublishFailure: Error, Hashable, CustomStringConvertible, Sendable {
    /// The broker does not accept the message: its reason code in words.
    case refused(reason: String)
    /// Too many messages wait for the broker.
    case full
    /// The session ended, or the task was cancelled. The broker may have the message.
    case stopped

    public var description: String {
        switch self {
        case .refused(let reason): "The broker refused the message: \(reason)"
        case .full:
            "\(ConsumerQueue.capacity) messages wait for the broker already; offer this one again when the broker is back"
        case .stopped: "The session ended before the broker acknowledged the message"
        }
    }
}
