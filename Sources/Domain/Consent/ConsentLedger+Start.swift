public import GatewayModel

// What holds when the gateway starts, besides what was written.
extension ConsentLedger {
    /// What the settings say is accepted counts where nobody else has spoken since: a withdrawal by command is not
    /// undone by a file that was written before it.
    ///
    /// - Parameter accepted: by the settings; whoever lives here and is not in it has accepted nothing by them.
    /// - Returns: the entries made.
    public mutating func follow(
        settings accepted: [PersonID: Set<ConsentSubject>], at wall: WallTime
    ) -> [ConsentEntry] {
        accepted.keys.sorted { $0.text < $1.text }.flatMap { person in
            // The data policy first: AutomatedSOS stands on it.
            [ConsentSubject.dataPolicy, .automatedSOS, .homeDashboard].flatMap { subject -> [ConsentEntry] in
                guard latest(subject, of: person)?.decision.means ?? .settings == .settings else { return [] }
                let decision = ConsentDecision(
                    person: person, subject: subject,
                    verdict: accepted[person]?.contains(subject) == true ? .accepted : .withdrawn,
                    by: "settings file", means: .settings, at: wall)
                // Refused where it stands on what was withdrawn.
                return (try? record(decision)) ?? []
            }
        }
    }

    /// Decisions of a version that kept no ledger, in their order.
    ///
    /// - Returns: the entries made: none for whoever has moved out, nor for what stands on what was withdrawn.
    public mutating func take(earlier decisions: [ConsentDecision]) -> [ConsentEntry] {
        decisions.filter { persons.contains($0.person) }.flatMap { decision in
            ((try? consequences(of: decision)) ?? []).map { add(decision.followed(by: $0)) }
        }
    }

    /// The careful reading of a ledger that was damaged, as the first entries of this new one.
    ///
    /// Nobody can say what was removed or changed, so it gives no more than was given before, whatever that was: no
    /// third party has a grant, and no reading leaves until somebody accepts that anew. Calls for help are the
    /// exception, because silence could cost a life: they are made where the last readable word says so, or the
    /// settings where there is none.
    ///
    /// - Parameters:
    ///   - readable: what could be read of the damaged one, in its order.
    ///   - accepted: by the settings; everybody who lives here is in it.
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

    /// Whether somebody has still to say anew what was lost with a damaged ledger.
    public var awaitsNewWord: Bool {
        persons.contains(where: awaitsNewWord)
    }

    func awaitsNewWord(of person: PersonID) -> Bool {
        latest(.dataPolicy, of: person)?.decision.means == .gateway
    }
}
