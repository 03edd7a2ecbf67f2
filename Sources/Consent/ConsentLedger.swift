public import GatewayModel

/// Every decision in the order it was taken, and what follows from them. In memory.
public struct ConsentLedger: Sendable {
    public enum Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        case unknownPerson(PersonID)
        /// AutomatedSOS sends personal data: the policy comes first.
        case dataPolicyFirst(PersonID)

        public var description: String {
            switch self {
            case .unknownPerson(let person):
                "no person '\(person)' in the settings; see: homegateway consent list"
            case .dataPolicyFirst(let person):
                "AutomatedSOS sends personal data, and '\(person)' has not accepted the data policy; "
                    + "accept data-policy first"
            }
        }
    }

    private let persons: Set<PersonID>
    public private(set) var decisions: [ConsentDecision] = []
    /// Emergency disclosures made, oldest first: the audit of the second way out.
    public private(set) var emergencies: [EmergencyDisclosure] = []
    private var audited: Set<Audited> = []
    private var accepted: Set<Grant> = []

    private struct Audited: Hashable {
        let message: MessageID
        let what: EmergencyDisclosure.What

        init(_ disclosure: EmergencyDisclosure) {
            (message, what) = (disclosure.message, disclosure.what)
        }
    }

    private struct Grant: Hashable {
        let person: PersonID
        let subject: ConsentSubject
    }

    /// - Parameter persons: who lives here; nobody else can decide or be spoken of.
    public init(persons: Set<PersonID>) {
        self.persons = persons
    }

    public func holds(_ subject: ConsentSubject, for person: PersonID) -> Bool {
        accepted.contains(Grant(person: person, subject: subject))
    }

    /// Whether anyone has accepted the data policy: before that the gateway says nothing at all.
    public var isAnythingAccepted: Bool { holds(.dataPolicy) }

    /// Whether anyone has accepted it.
    public func holds(_ subject: ConsentSubject) -> Bool { accepted.contains { $0.subject == subject } }

    /// Writes a decision down. Withdrawing the data policy also ends AutomatedSOS, as a second entry.
    /// - Returns: the entries made; none where it changes nothing.
    public mutating func record(_ decision: ConsentDecision) throws(Refusal) -> [ConsentDecision] {
        guard persons.contains(decision.person) else { throw .unknownPerson(decision.person) }
        switch decision.verdict {
        case .accepted: return try accept(decision)
        case .withdrawn: return withdraw(decision)
        }
    }

    private mutating func accept(_ decision: ConsentDecision) throws(Refusal) -> [ConsentDecision] {
        guard decision.subject != .automatedSOS || holds(.dataPolicy, for: decision.person) else {
            throw .dataPolicyFirst(decision.person)
        }
        let isNew = accepted.insert(Grant(person: decision.person, subject: decision.subject)).inserted
        return isNew ? append([decision]) : []
    }

    private mutating func withdraw(_ decision: ConsentDecision) -> [ConsentDecision] {
        let subjects: [ConsentSubject] =
            decision.subject == .dataPolicy ? [.automatedSOS, .dataPolicy] : [decision.subject]
        let ended = subjects.filter {
            accepted.remove(Grant(person: decision.person, subject: $0)) != nil
        }
        return append(
            ended.map { subject in
                ConsentDecision(
                    person: decision.person, subject: subject, verdict: .withdrawn, by: decision.by,
                    means: decision.means, at: decision.at)
            })
    }

    private mutating func append(_ entries: [ConsentDecision]) -> [ConsentDecision] {
        decisions += entries
        return entries
    }

    /// Once a message: it is asked about again when it leaves the queue, and that is no second use.
    mutating func audit(_ disclosure: EmergencyDisclosure) {
        guard audited.insert(Audited(disclosure)).inserted else { return }
        emergencies.append(disclosure)
        if emergencies.count > Self.emergenciesKept { audited.remove(Audited(emergencies.removeFirst())) }
    }

    /// In memory, so bounded: more than a day of an alarm that nobody accepts.
    private static let emergenciesKept = 4_096
}

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
