import GatewayModel
import Vault

/// State of one matter: the row that outlives a restart. Without it each start would tell everything again.
struct NoticeRecord: Hashable, Sendable, Codable {
    let person: String
    let matter: String
    let isForDeciders: Bool
    let isUrgent: Bool
    var phase: String
    var topic: String
    var id: String
    var ends: String?
    var code: String?
    var subject: String?
    /// Milliseconds since 1970.
    var time: Int64
    /// Empty once everybody has the notice.
    private var english, italian: String
    /// Recipients that do not have the notice of this phase yet.
    var owed: [String]
    /// Recipients that have its beginning, or may have it: they are told the end.
    var told: [String] = []
    /// Beginning that was told last; milliseconds since 1970.
    var began: Int64 = 0
    /// Beginnings told in a row, for the limit on repeated ones.
    var times = 0

    init(_ notice: PersonNotice, isUrgent: Bool, to owed: [NoticeTarget]) {
        (person, matter) = (notice.person.text, notice.matter)
        (isForDeciders, self.isUrgent) = (notice.isForDeciders, isUrgent)
        (phase, topic, id) = (notice.phase.rawValue, notice.topic.rawValue, notice.id.description)
        (ends, code, subject) = (notice.ends?.description, notice.code?.rawValue, notice.subject)
        (time, english, italian) = (notice.time.millisecondsSince1970, notice.text.en, notice.text.it)
        self.owed = owed.map(\.text)
    }

    /// Nil where the row is of another version.
    var notice: PersonNotice? {
        guard let person = PersonID(person), let topic = PersonNotice.Topic(rawValue: topic),
            let phase = PersonNotice.Phase(rawValue: phase), let id = MessageID(id),
            // Later times overflow where durations are added.
            (0..<253_402_300_800_000).contains(time)
        else { return nil }
        return PersonNotice(
            id: id, person: person, matter: matter, topic: topic, phase: phase,
            code: code.flatMap(HealthCode.init), subject: subject,
            time: WallTime(millisecondsSince1970: time), ends: ends.flatMap { MessageID($0) },
            text: text, isForDeciders: isForDeciders)
    }

    var text: Text {
        get { Text(en: english, it: italian) }
        set { (english, italian) = (newValue.en, newValue.it) }
    }

    var isOpen: Bool { phase == PersonNotice.Phase.began.rawValue }
    var isNews: Bool { phase == PersonNotice.Phase.news.rawValue }

    /// Key in `state.sqlite`, on one line.
    var key: String { Self.key(person, matter, isForDeciders) }

    static func key(_ person: String, _ matter: String, _ isForDeciders: Bool) -> String {
        let line = matter.split(whereSeparator: \.isNewline).joined(separator: " ")
        return "\(person) \(isForDeciders ? "deciders" : "carers") \(line)"
    }

    var change: StateChange { .put(.notice, key, self) }
}
