public import GatewayModel

// Entries that are made at the start of the gateway.
extension ConsentLedger {
    /// Applies the acceptances in the settings. They count only if no decision was made by other means since: a file
    /// does not undo a later withdrawal by command.
    ///
    /// - Parameter accepted: acceptances by the settings. A person of the house with an empty set has accepted nothing
    ///   in the settings.
    /// - Returns: the new entries.
    public mutating func follow(
        settings accepted: [PersonID: Set<ConsentSubject>], at wall: WallTime
    ) -> [ConsentEntry] {
        accepted.keys.sorted { $0.text < $1.text }.flatMap { person in
            // The data policy first, because AutomatedSOS requires it.
            [ConsentSubject.dataPolicy, .automatedSOS, .homeDashboard].flatMap { subject -> [ConsentEntry] in
                guard latest(subject, of: person)?.decision.means ?? .settings == .settings else { return [] }
                let decision = ConsentDecision(
                    person: person, subject: subject,
                    verdict: accepted[person]?.contains(subject) == true ? .accepted : .withdrawn,
                    by: "settings file", means: .settings, at: wall)
                // Refused if it requires a withdrawn policy.
                return (try? record(decision)) ?? []
            }
        }
    }

    /// Adds decisions of a version without a ledger, in their order.
    ///
    /// - Returns: the new entries. There are none for persons that have moved out, and for decisions that require a
    ///   withdrawn policy.
    public mutating func take(earlier decisions: [ConsentDecision]) -> [ConsentEntry] {
        decisions.filter { persons.contains($0.person) }.flatMap { decision in
            ((try? consequences(of: decision)) ?? []).map { add(decision.followed(by: $0)) }
        }
    }

    /// Adds cautious first entries to this new ledger after damage of the old one.
    ///
    /// The missing or changed entries are unknown, so the new ledger grants no more than the old one in any case: no
    /// third party has a grant, and no reading leaves until it is accepted again. Calls for help are the exception,
    /// because silence could cost a life. They are allowed if the last readable decision accepts them, or, without one,
    /// if the settings do.
    ///
    /// - Parameters:
    ///   - readable: readable entries of the damaged ledger, in order.
    ///   - accepted: acceptances by the settings, with every person of the house.
    public mutating func begin(
        after readable: [ConsentEntry], settings accepted: [PersonID: Set<ConsentSubject>], at wall: WallTime
    ) -> [ConsentEntry] {
        accepted.keys.sorted { $0.text < $1.text }.flatMap { person in
            let word = readable.last { entry in
                guard case .policy(.automatedSOS, _) = entry.decision.act else { return false }
                return entry.decision.person == person
            }
            let mayCall =
                word.map { $0.decision.act == .policy(.automatedSOS, .accepted) }
                ?? accepted[person]?.contains(.automatedSOS) == true
            let acts: [ConsentAct] =
                [
                    .policy(.dataPolicy, .withdrawn), .policy(.automatedSOS, mayCall ? .accepted : .withdrawn),
                    .policy(.homeDashboard, .withdrawn),
                ]
            return acts.map {
                add(ConsentDecision($0, for: person, by: "damaged ledger", means: .gateway, at: wall))
            }
        }
    }

    /// Whether a person has to repeat a decision that was lost with a damaged ledger.
    public var awaitsNewWord: Bool {
        persons.contains(where: awaitsNewWord)
    }

    func awaitsNewWord(of person: PersonID) -> Bool {
        latest(.dataPolicy, of: person)?.decision.means == .gateway
    }
}
