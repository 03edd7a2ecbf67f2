public import GatewayModel

/// News about a person that is no emergency.
public struct NoticeRecord: Hashable, Sendable {
    public enum Phase: Hashable, Sendable {
        case began
        /// The notice that began it.
        case ended(MessageID)
        /// It has no end.
        case news
    }

    public let id: MessageID
    public let person: PersonID
    /// The same in both phases of one matter.
    public let matter: String
    /// As the contract names it; a newer gateway may have others.
    public let topic: String
    public let phase: Phase
    public let code, subject: String?
    public let time: WallTime
    public let text: Text

    public init(_ payload: [UInt8], of person: PersonID) throws(ContractFault) {
        let fields: Fields = try WirePayload.read(from: payload)
        guard fields.person == person else { throw .elsewhere(member: "person") }
        phase =
            switch (fields.phase, fields.ends) {
            case ("began", nil): .began
            case ("ended", let ends?): .ended(ends)
            case ("news", nil): .news
            default: throw .form("'phase' and 'ends' contradict each other")
            }
        (id, self.person, time) = (fields.id, person, fields.time.wall)
        (matter, topic) = (fields.matter.text, fields.topic.text)
        (code, subject) = (fields.code?.text, fields.subject?.text)
        text = Text(en: fields.text.en.text, it: fields.text.it.text)
    }

    private struct Fields: Decodable {
        struct Sentences: Decodable {
            let en, it: WireText
        }

        let id: MessageID
        let person: PersonID
        let matter, topic: WireText
        let phase: String
        let code, subject: WireText?
        let ends: MessageID?
        let time: WireTime
        let text: Sentences
    }
}
