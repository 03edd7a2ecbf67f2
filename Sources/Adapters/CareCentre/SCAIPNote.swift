/// What is worth a line in the log and changes nothing.
public enum SCAIPNote: Hashable, Sendable, CustomStringConvertible {
    /// An answer to nothing that waits for one: it accepts nothing.
    case ignoredAnswer(SCAIPReference, SCAIPResponse.Status)
    /// The centre took the message before and now says otherwise; the next round asks again.
    case lateRefusal(SCAIPReference, SCAIPResponse.Status)
    case unreadableAnswer(reason: String)
    case registered
    case registrationFailed(reason: String)

    public var description: String {
        switch self {
        case .ignoredAnswer(let reference, let status):
            "the centre answered \(status.number) to '\(reference)', for which nothing waits: ignored"
        case .lateRefusal(let reference, let status):
            "the centre had taken '\(reference)' and now answers: \(status.reason)"
        case .unreadableAnswer(let reason): "what came is no answer of SCAIP: \(reason)"
        case .registered: "registered at the centre's SIP server"
        case .registrationFailed(let reason): "not registered at the centre's SIP server: \(reason)"
        }
    }
}
