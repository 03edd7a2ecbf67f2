public import GatewayModel

/// Decision as the cloud learns it: about a request of a third party or about a policy. It names no decider and no reading.
public struct Answer: Hashable, Sendable {
    public enum Matter: Hashable, Sendable {
        /// - Parameter grant: number of the grant that the decision gave or ended; nil if nothing was granted.
        case request(DataRequest, grant: LedgerSequence?)
        case policy(ConsentSubject)
    }

    public enum Verdict: String, CaseIterable, Hashable, Sendable { case accepted, refused, withdrawn, expired }

    public let person: PersonID
    public let matter: Matter
    public let verdict: Verdict
    /// Entry of the ledger that holds the decision.
    public let entry: LedgerSequence
    public let at: WallTime

    public init(person: PersonID, matter: Matter, verdict: Verdict, entry: LedgerSequence, at: WallTime) {
        (self.person, self.matter, self.verdict, self.entry) = (person, matter, verdict, entry)
        self.at = at
    }
}

extension ConsentLedger {
    /// Returns the decisions of the entries from `first` up to `last` that the cloud learns, oldest first: those about
    /// requests and about the policies that release data. The home's own dashboard is no matter of the cloud.
    public func answers(from first: LedgerSequence, through last: LedgerSequence) -> [Answer] {
        var grants: [RequestID: LedgerSequence] = [:]
        var answers: [Answer] = []
        for entry in entries.prefix(while: { $0.sequence <= last }) {
            let (sequence, decision) = (entry.sequence, entry.decision)
            var told: (Answer.Matter, Answer.Verdict)?
            func about(_ id: RequestID, _ verdict: Answer.Verdict) {
                guard let record = requests[id] else { return }
                told = (.request(record.request, grant: grants[id]), verdict)
            }
            switch decision.act {
            case .policy(let subject, let verdict):
                guard subject.leavesTheHouse else { continue }
                told = (.policy(subject), verdict == .accepted ? .accepted : .withdrawn)
            case .granted(let id):
                grants[id] = sequence
                about(id, .accepted)
            case .refused(let id): about(id, .refused)
            case .withdrawn(let id):
                about(id, .withdrawn)
                grants[id] = nil
            case .expired(let id):
                about(id, .expired)
                grants[id] = nil
            case .requested, .partyKeyChanged: continue
            }
            guard sequence >= first, let (matter, verdict) = told else { continue }
            answers.append(
                Answer(
                    person: decision.person, matter: matter, verdict: verdict, entry: sequence, at: decision.at)
            )
        }
        return answers
    }
}
