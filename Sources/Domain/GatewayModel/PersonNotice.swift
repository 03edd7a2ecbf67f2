/// News about a person that is no emergency, as it leaves the house: that nobody watches over them, or that a battery is
/// low. It names no reading.
public struct PersonNotice: Hashable, Sendable {
    public enum Phase: String, CaseIterable, Hashable, Sendable {
        case began
        /// What began before is over.
        case ended
        /// Something that happened, and has no end.
        case news
    }

    /// Kind of the matter.
    public enum Topic: String, CaseIterable, Hashable, Sendable {
        /// Nobody watches over the person, or a device may not be heard.
        case supervision
        case battery
        case mains
        /// A way to call for help, or all of them.
        case help
        case drill
        case settings
        case other
    }

    public let id: MessageID
    public let person: PersonID
    /// Names the matter: both phases have the same one. `unwatched strap`, `mains`.
    public let matter: String
    public let topic: Topic
    public let phase: Phase
    /// Condition of the box that causes it; nil for other news.
    public let code: HealthCode?
    /// Thing that the condition is about: a device or a channel.
    public let subject: String?
    /// Time at which it was first to be told.
    public let time: WallTime
    /// ID of the notice that this one ends.
    public let ends: MessageID?
    /// It names the person, so it leaves with the same consent as the notice.
    public let text: Text
    /// Only for those who decide about consent with the person.
    public let isForDeciders: Bool

    public init(
        id: MessageID, person: PersonID, matter: String, topic: Topic, phase: Phase, code: HealthCode? = nil,
        subject: String? = nil, time: WallTime, ends: MessageID? = nil, text: Text,
        isForDeciders: Bool = false
    ) {
        (self.id, self.person, self.matter, self.topic, self.phase) = (id, person, matter, topic, phase)
        (self.code, self.subject, self.time, self.ends) = (code, subject, time, ends)
        (self.text, self.isForDeciders) = (text, isForDeciders)
    }
}
