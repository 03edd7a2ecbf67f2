public import GatewayModel

/// One use of the emergency path: whose emergency, what of it, which message, when.
public struct EmergencyDisclosure: Hashable, Sendable {
    public enum What: Hashable, Sendable {
        /// By the AutomatedSOS terms.
        case emergency
        /// That it is over, to those who know of it: needs no terms.
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
