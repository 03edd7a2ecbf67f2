public import GatewayModel

/// Number of a link in the store. Never reused.
public struct LinkID: Hashable, Sendable, CustomStringConvertible {
    public let number: Int64

    public init(_ number: Int64) { self.number = number }

    public init?(_ text: String) {
        guard let number = Int64(text), number > 0, String(number) == text else { return nil }
        self.number = number
    }

    public var description: String { String(number) }
}

/// A person in a house. The name is unique in that house only.
public struct HousePerson: Hashable, Sendable {
    public let gateway: GatewayID
    public let person: PersonID

    public init(_ gateway: GatewayID, _ person: PersonID) {
        (self.gateway, self.person) = (gateway, person)
    }
}

/// Relation of an account to a person of a house. The person decides it at home; several accounts may be linked to one
/// person, each by a yes of its own.
public struct Link: Hashable, Sendable {
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// The request is on its way, or waits for the person's answer.
        case asked
        /// The person has said yes. Only now the account sees anything.
        case linked
        case refused
        case expired
        /// Ended by the person at home or by the user of the account.
        case ended
        /// The house refused the command, or did not answer it in time.
        case failed

        /// Whether a new request for the same person would be a second one.
        public var isOpen: Bool { self == .asked || self == .linked }
    }

    public let id: LinkID
    public let account: AccountID
    public let subject: HousePerson
    /// The words of the question at home. `acts` lets the account end requests of companies, set intervals, ask for the limits
    /// of alarms and for the fiscal code and end their sharing, and take part in figures of groups and in runs for the person.
    public let role: LinkRole
    /// Name of the request in the house's ledger.
    public let request: RequestID
    public let state: State
    /// Code of the house, where the command failed.
    public let reason: String?
    public let asked: WallTime
    public let decided: WallTime?
    /// Number of the ledger's entry that decided it last.
    public let entry: Int64?

    public init(
        id: LinkID, account: AccountID, subject: HousePerson, role: LinkRole, request: RequestID, state: State,
        reason: String? = nil, asked: WallTime, decided: WallTime? = nil, entry: Int64? = nil
    ) {
        (self.id, self.account, self.subject, self.role, self.request) = (id, account, subject, role, request)
        (self.state, self.reason, self.asked, self.decided, self.entry) = (state, reason, asked, decided, entry)
    }

    /// Whether the account may act for the person now.
    public var mayAct: Bool { state == .linked && role == .acts }
}
