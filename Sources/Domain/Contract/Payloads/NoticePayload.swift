import GatewayModel

/// Payload of `notices/<person>`: news about a person that is no emergency.
struct NoticePayload: Encodable {
    let id: String
    let person: String
    /// Both phases of one matter have the same.
    let matter: String
    /// `supervision`, `battery`, `mains`, `help`, `drill`, `settings`, `other`.
    let topic: String
    /// `began`, `ended`, `news`.
    let phase: String
    /// Condition of the box, as in `status`.
    let code: String?
    let subject: String?
    let time: String
    /// ID of the notice that this one ends.
    let ends: String?
    let text: Text

    init(_ notice: PersonNotice) {
        (id, person, matter) = (notice.id.description, notice.person.text, notice.matter)
        (topic, phase) = (notice.topic.rawValue, notice.phase.rawValue)
        (code, subject, time) = (notice.code?.rawValue, notice.subject, notice.time.rfc3339)
        ends = notice.ends?.description
        text = notice.text
    }
}
