public import GatewayModel

/// All decisions in order, and their consequences. In memory. `record` checks and adds a new decision; `replay` adds a
/// written one.
public struct ConsentLedger: Sendable {
    /// Maximum number of unanswered requests of one person.
    public static let mostPending = 32

    private(set) var persons: Set<PersonID>
    private var deciders: [PersonID: Deciders]
    public private(set) var entries: [ConsentEntry] = []
    var audit = EmergencyAudit()
    private var accepted: Set<Acceptance> = []
    /// Last decision on each policy of each person.
    private var latest: [Acceptance: ConsentEntry] = [:]
    /// Whether anything was ever accepted in this house.
    public private(set) var wasAnythingAccepted = false
    public private(set) var requests: [RequestID: RequestRecord] = [:]
    /// Grants in force by person and kind. A value costs one look-up.
    private var sharing: [Series: [Grant]] = [:]
    private var grants: [LedgerSequence: Grant] = [:]

    private struct Acceptance: Hashable {
        let person: PersonID
        let subject: ConsentSubject
    }

    private struct Series: Hashable {
        let person: PersonID
        let kind: DataKind
    }

    /// - Parameters:
    ///   - persons: persons of the house. Decisions by or about others are refused.
    ///   - deciders: deciders of each person. Without an entry, any user with access to the box decides.
    public init(persons: Set<PersonID>, deciders: [PersonID: Deciders] = [:]) {
        (self.persons, self.deciders) = (persons, deciders)
    }

    /// Replaces the persons of the house and their deciders.
    public mutating func follow(persons: Set<PersonID>, deciders: [PersonID: Deciders]) {
        (self.persons, self.deciders) = (persons, deciders)
    }

    /// Emergency disclosures, oldest first: the audit of `discloseInEmergency`.
    public var emergencies: [EmergencyDisclosure] { audit.disclosures }

    public func holds(_ subject: ConsentSubject, for person: PersonID) -> Bool {
        persons.contains(person) && accepted.contains(Acceptance(person: person, subject: subject))
    }

    /// Returns whether any person of the house has accepted the policy.
    public func holds(_ subject: ConsentSubject) -> Bool {
        accepted.contains { $0.subject == subject && persons.contains($0.person) }
    }

    /// Returns the last entry about the policy; nil if there is none.
    public func latest(_ subject: ConsentSubject, of person: PersonID) -> ConsentEntry? {
        latest[Acceptance(person: person, subject: subject)]
    }

    /// Whether any person of the house has accepted a policy that releases data. Before that, the gateway sends nothing
    /// at all to the cloud.
    public var isAnythingAccepted: Bool {
        accepted.contains { $0.subject.leavesTheHouse && persons.contains($0.person) }
    }

    /// Returns the grants that give a value to third parties, in the order in which they were granted.
    func sharing(of value: some Shareable, at wall: WallTime) -> [Grant] {
        guard let grants = sharing[Series(person: value.person, kind: value.dataKind)] else {
            return []
        }
        return grants.filter { $0.isOpen(at: wall) && $0.covers(value) }
    }

    /// Returns the grant of that epoch; nil unless it is in force.
    public func grant(_ epoch: LedgerSequence) -> Grant? { grants[epoch] }

    /// Returns the grants in force according to the entries up to this one.
    public func open(asOf last: LedgerSequence) -> Set<LedgerSequence> {
        var open: [RequestID: LedgerSequence] = [:]
        for entry in entries.prefix(while: { $0.sequence <= last }) {
            switch entry.decision.act {
            case .granted(let request): open[request] = entry.sequence
            case .withdrawn(let request), .expired(let request): open[request] = nil
            case .policy, .requested, .refused, .partyKeyChanged: break
            }
        }
        return Set(open.values)
    }

    /// Returns an ended grant, and the entry that ended it; nil for a grant in force, and for an epoch that is no
    /// grant.
    public func ending(of epoch: LedgerSequence) -> (grant: Grant, entry: ConsentEntry)? {
        guard let granted = entries.first(where: { $0.sequence == epoch }),
            case .granted(let id) = granted.decision.act, let record = requests[id],
            let end = entries.first(where: { $0.sequence > epoch && $0.decision.act.ends(id) })
        else { return nil }
        let grant = Grant(record.request, to: record.party, epoch: epoch, since: granted.decision.at)
        return (grant, end)
    }

    /// Returns the expired grants for which the gateway has to write an entry.
    public func due(at wall: WallTime) -> [Grant] {
        grants.values.filter { persons.contains($0.request.person) && $0.request.isOver(at: wall) }
            .sorted { $0.epoch < $1.epoch }
    }

    /// Returns the unanswered requests whose time to answer is over, the oldest first.
    func unanswered(at wall: WallTime) -> [DataRequest] {
        requests.values.filter {
            persons.contains($0.request.person) && $0.state == .pending && wall >= $0.lapse
        }.sorted { $0.latest.sequence < $1.latest.sequence }.map(\.request)
    }

    /// Returns whether this name may decide for the person by these means.
    func mayDecide(for person: PersonID, by name: String, means: ConsentMeans) -> Bool {
        persons.contains(person) && (deciders[person] ?? .atTheBox).allow(name, by: means)
    }

    /// Records a decision and its consequences: withdrawing the data policy ends AutomatedSOS and every grant, each
    /// with an entry of its own.
    /// - Returns: the new entries; empty if the decision changes nothing.
    public mutating func record(_ decision: ConsentDecision) throws(Refusal) -> [ConsentEntry] {
        guard persons.contains(decision.person) else { throw .unknownPerson(decision.person) }
        guard (deciders[decision.person] ?? .atTheBox).allow(decision) else {
            throw .notAllowed(decision.person)
        }
        return try consequences(of: decision).map { add(decision.followed(by: $0)) }
    }

    mutating func add(_ decision: ConsentDecision) -> ConsentEntry {
        let entry = ConsentEntry((entries.last?.sequence ?? LedgerSequence(0)).next, decision)
        replay(entry)
        return entry
    }

    /// Adds a written entry without checks.
    public mutating func replay(_ entry: ConsentEntry) {
        let person = entry.decision.person
        switch entry.decision.act {
        case .policy(let subject, let verdict):
            note(verdict, on: Acceptance(person: person, subject: subject), by: entry)
        case .requested(let request):
            requests[request.id] = RequestRecord(request, asked: entry)
        case .granted(let request):
            change(request, by: entry) { record in
                .granted(
                    Grant(record.request, to: record.party, epoch: entry.sequence, since: entry.decision.at))
            }
        case .refused(let request): change(request, by: entry) { _ in .refused }
        case .withdrawn(let request): change(request, by: entry) { _ in .withdrawn }
        case .expired(let request): change(request, by: entry) { _ in .expired }
        case .partyKeyChanged(let party, let key):
            for (id, record) in requests where record.party.id == party && record.request.person == person {
                requests[id]?.seal(with: key)
            }
            index()
        }
        entries.append(entry)
    }

    private mutating func note(
        _ verdict: ConsentDecision.Verdict, on what: Acceptance, by entry: ConsentEntry
    ) {
        latest[what] = entry
        switch verdict {
        case .accepted:
            accepted.insert(what)
            if what.subject.leavesTheHouse { wasAnythingAccepted = true }
        case .withdrawn: accepted.remove(what)
        }
    }

    private mutating func change(
        _ id: RequestID, by entry: ConsentEntry, _ state: (RequestRecord) -> RequestRecord.State
    ) {
        guard var record = requests[id] else { return }
        (record.state, record.latest) = (state(record), entry)
        requests[id] = record
        index()
    }

    /// Rebuilds the indexes at each decision, because decisions are rare and readings are frequent.
    private mutating func index() {
        let open = requests.values.compactMap(\.grant).sorted { $0.epoch < $1.epoch }
        grants = Dictionary(open.map { ($0.epoch, $0) }) { first, _ in first }
        sharing = open.reduce(into: [:]) { sharing, grant in
            for kind in grant.request.kinds {
                sharing[Series(person: grant.request.person, kind: kind), default: []].append(grant)
            }
        }
    }
}
