public import GatewayModel

// Rules for decisions, and their consequences.
extension ConsentLedger {
    /// Returns the acts to write, in order; empty if the decision changes nothing.
    func consequences(of decision: ConsentDecision) throws(Refusal) -> [ConsentAct] {
        let (act, person) = (decision.act, decision.person)
        switch act {
        case .policy(let subject, .accepted):
            guard subject != .automatedSOS || holds(.dataPolicy, for: person) else {
                throw .dataPolicyFirst(person)
            }
            return holds(subject, for: person) ? [] : [act]
        case .policy(let subject, .withdrawn): return withdrawal(of: subject, for: person)
        case .requested(let request): return try asking(request, of: decision)
        case .granted(let id): return try granting(id, by: decision)
        case .refused(let id): return try refusing(id, for: person)
        case .withdrawn(let id): return try withdrawing(id, for: person)
        case .expired(let id):
            switch try request(id, of: person).state {
            case .pending, .granted: return [act]
            case .refused, .withdrawn, .expired: return []
            }
        case .partyKeyChanged(let party, let key): return try changing(party, to: key, for: person)
        }
    }

    private func withdrawal(of subject: ConsentSubject, for person: PersonID) -> [ConsentAct] {
        guard subject == .dataPolicy else {
            return holds(subject, for: person) ? [.policy(subject, .withdrawn)] : []
        }
        let subjects = [ConsentSubject.automatedSOS, .dataPolicy].filter {
            // After damage of the ledger, a withdrawal is recorded even if nothing is accepted.
            holds($0, for: person) || $0 == .dataPolicy && awaitsNewWord(of: person)
        }
        return grants(of: person).map { .withdrawn($0.request.id) } + subjects.map { .policy($0, .withdrawn) }
    }

    private func asking(
        _ request: DataRequest, of decision: ConsentDecision
    ) throws(Refusal) -> [ConsentAct] {
        if let known = requests[request.id] {
            guard known.request == request else { throw .requestDiffers(request.id) }
            return []
        }
        guard request.person == decision.person else { throw .unknownPerson(request.person) }
        guard !request.isOver(at: decision.at) else { throw .requestOver(request.id) }
        try hold(request.party, toThatOf: decision.person)
        guard pending(of: decision.person).count < Self.mostPending else {
            throw .tooManyRequests(decision.person)
        }
        return [decision.act]
    }

    /// A refused or withdrawn request may be granted, because the person may change their mind.
    private func granting(
        _ id: RequestID, by decision: ConsentDecision
    ) throws(Refusal) -> [ConsentAct] {
        let record = try request(id, of: decision.person)
        guard record.grant == nil else { return [] }
        guard record.state != .expired, !record.request.isOver(at: decision.at) else { throw .requestOver(id) }
        guard holds(.dataPolicy, for: decision.person) else { throw .dataPolicyFirst(decision.person) }
        try hold(record.party, toThatOf: decision.person)
        return [decision.act]
    }

    private func refusing(_ id: RequestID, for person: PersonID) throws(Refusal) -> [ConsentAct] {
        switch try request(id, of: person).state {
        case .pending: return [.refused(id)]
        case .granted: throw .requestGranted(id)
        case .refused, .withdrawn, .expired: return []
        }
    }

    private func withdrawing(_ id: RequestID, for person: PersonID) throws(Refusal) -> [ConsentAct] {
        switch try request(id, of: person).state {
        case .granted: return [.withdrawn(id)]
        case .withdrawn, .expired: return []
        case .pending, .refused: throw .requestNotGranted(id)
        }
    }

    private func changing(
        _ party: PartyID, to key: ThirdParty.SealingKey, for person: PersonID
    ) throws(Refusal) -> [ConsentAct] {
        guard let known = grants(of: person).first(where: { $0.party.id == party })?.party else {
            throw .unknownParty(party)
        }
        guard known.signingKey != nil else { throw .partyKeyFixed(party) }
        return known.sealingKey == key ? [] : [.partyKeyChanged(party, key)]
    }

    /// Throws if the party uses the ID of another party to which the person grants data. Accounts share one ID, and
    /// each has its own name.
    private func hold(_ party: ThirdParty, toThatOf person: PersonID) throws(Refusal) {
        guard party.id != .accounts else { return }
        guard grants(of: person).allSatisfy({ $0.party.id != party.id || $0.party == party }) else {
            throw .partyDiffers(party.id)
        }
    }

    /// Returns the request. A request of another person is reported as unknown.
    private func request(_ id: RequestID, of person: PersonID) throws(Refusal) -> RequestRecord {
        guard let record = requests[id], record.request.person == person else { throw .unknownRequest(id) }
        return record
    }

    private func pending(of person: PersonID) -> [RequestRecord] {
        requests.values.filter { $0.request.person == person && $0.state == .pending }
    }

    /// Grants in force of all persons, in the order in which they were granted.
    public var openGrants: [Grant] {
        requests.values.compactMap(\.grant).sorted { $0.epoch < $1.epoch }
    }

    /// Returns the grants in force, in the order in which they were granted.
    public func grants(of person: PersonID) -> [Grant] {
        requests.values.filter { $0.request.person == person }.compactMap(\.grant)
            .sorted { $0.epoch < $1.epoch }
    }
}
