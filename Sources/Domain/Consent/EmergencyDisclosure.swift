public import GatewayModel

/// One use of the emergency path: the person, the kind of disclosure, the message, the channel, the time.
public struct EmergencyDisclosure: Hashable, Sendable {
    public enum What: String, CaseIterable, Codable, Hashable, Sendable {
        /// An emergency. It leaves by the AutomatedSOS terms.
        case emergency
        /// Its end, for recipients that know of the emergency. It needs no terms.
        case itsEnd = "end"
    }

    public let person: PersonID
    public let what: What
    /// The alarm's message at the dispatch to a channel; a message of the outbox where `channel` is nil.
    public let message: MessageID
    /// Channel of help that got it. Nil for a message that leaves the outbox: its dispatch was recorded before.
    public let channel: ChannelID?
    public let at: WallTime

    public init(person: PersonID, what: What, message: MessageID, channel: ChannelID? = nil, at: WallTime) {
        self.person = person
        self.what = what
        self.message = message
        self.channel = channel
        self.at = at
    }
}
