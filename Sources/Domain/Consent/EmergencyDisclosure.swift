public import GatewayModel

/// One use of the emergency path: the person, the kind of disclosure, the message, the time.
public struct EmergencyDisclosure: Hashable, Sendable {
    public enum What: Hashable, Sendable {
        /// An emergency. It leaves by the AutomatedSOS terms.
        case emergency
        /// Its end, for recipients that know of the emergency. It needs no terms.
        case itsEnd
    }

    public let person: PersonID
    public let what: What
    public let message: MessageID
    public let at: WallTime

    public init(person: PersonID, what: What, message: MessageID, at: WallTime) {
        self.person = person
        self.what = what
        self.message = message
        self.at = at
    }
}
