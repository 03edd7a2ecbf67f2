import GatewayModel
import HelpLine

/// A matter that holds now for one person.
struct NoticeFinding: Hashable, Sendable {
    let person: PersonID
    /// The concern, and its device or channel.
    let matter: String
    let concern: Concern
    let code: HealthCode
    let subject: String?
    let isUrgent: Bool
    let patience: NoticeRule.Patience
    let beginning: Text
    /// A wider matter of the person says it already: a deaf box explains a missing strap, and no way to call help covers
    /// each single way.
    let isCovered: Bool

    /// A person with the facts that findings depend on.
    struct Person: Hashable, Sendable {
        let id: PersonID
        let name: String
        /// Channels that call help for them.
        let channels: [ChannelID]
    }

    /// Returns the matters that hold, each once, by person and then in the order of the conditions.
    ///
    /// - Parameter wearers: person of each wearable, by the text of its ID.
    static func all(
        of conditions: [HealthCondition], persons: [Person], wearers: [String: PersonID]
    ) -> [NoticeFinding] {
        let helpless = Set(conditions.filter { $0.code == .helpUnreachable }.compactMap(\.subject))
        return persons.flatMap { person in
            let isHelpless = helpless.contains(person.id.text)
            let concerning = conditions.compactMap { condition -> (HealthCondition, NoticeRule)? in
                guard let rule = condition.code.noticeRule(of: condition.subject ?? ""),
                    rule.concerns(person, condition.subject, wearers)
                else { return nil }
                return (condition, rule)
            }
            let isUnalarmed = concerning.contains { $1.concern == .house }
            let isBoxDeaf = concerning.contains { $1.concern == .unwatched && $1.scope == .everyone }
            var seen: Set<String> = []
            return concerning.compactMap { condition, rule -> NoticeFinding? in
                let isCovered =
                    switch rule.concern {
                    case .unwatched: isBoxDeaf && rule.scope == .wearer
                    case .channel: isHelpless
                    case .sound: isUnalarmed
                    default: false
                    }
                let finding = NoticeFinding(condition, rule, of: person, isCovered: isCovered)
                return seen.insert(finding.matter).inserted ? finding : nil
            }
        }
    }

    private init(_ condition: HealthCondition, _ rule: NoticeRule, of person: Person, isCovered: Bool) {
        // The subject of other scopes is a place in a file, or the person.
        let subject = rule.namesSubject ? condition.subject : nil
        (self.person, concern, code, self.subject) = (person.id, rule.concern, condition.code, subject)
        matter = ([rule.concern.rawValue] + [subject].compactMap(\.self)).joined(separator: " ")
        (isUrgent, patience) = (rule.isUrgent, rule.patience)
        beginning = NoticeWords(name: person.name, subject: subject ?? "").beginning(rule)
        self.isCovered = isCovered
    }
}

extension NoticeRule {
    fileprivate var namesSubject: Bool { scope == .wearer || concern == .channel }

    fileprivate func concerns(
        _ person: NoticeFinding.Person, _ subject: String?, _ wearers: [String: PersonID]
    ) -> Bool {
        switch scope {
        case .everyone: true
        case .wearer: subject.flatMap { wearers[$0] } == person.id
        case .person: subject == person.id.text
        case .callers: person.channels.contains { $0.text == subject }
        }
    }
}
