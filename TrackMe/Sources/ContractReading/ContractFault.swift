/// Reason for which a message of the contract is set aside. It names no person and repeats no value.
public enum ContractFault: Error, Hashable, CustomStringConvertible, Sendable {
    /// The topic is not one of the contract's version 1.
    case topic
    /// The payload is not sound JSON, or larger than 64 KB.
    case unsound(String)
    /// The payload is JSON and not of the form that its topic asks for.
    case form(String)
    /// The payload names another person, run or party than its topic.
    case elsewhere(member: String)

    public var description: String {
        switch self {
        case .topic: "The topic is not one of contract version 1, trackme/v1/<gateway>/…"
        case .unsound(let reason): "The payload cannot be read: \(reason)"
        case .form(let reason): "The payload has not the form of its topic: \(reason)"
        case .elsewhere(let member): "The member '\(member)' names another one than the topic does"
        }
    }
}
