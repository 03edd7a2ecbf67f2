public import SOSLocal

/// What is worth a line in the log and changes nothing. Names nobody: recipients are counted from 1, in the
/// order of the settings.
public enum TextNote: Hashable, Sendable, CustomStringConvertible {
    /// Others have the message, this one has not.
    case notReached(AlarmID, recipient: Int, reason: String)
    /// The message was longer than its limit.
    case shortened(AlarmID)

    public var description: String {
        switch self {
        case .notReached(_, let recipient, let reason): "recipient \(recipient) was not reached: \(reason)"
        case .shortened: "the text was longer than 3 parts; the less important end of it was left out"
        }
    }

    public var alarm: AlarmID {
        switch self {
        case .notReached(let alarm, _, _), .shortened(let alarm): alarm
        }
    }
}
