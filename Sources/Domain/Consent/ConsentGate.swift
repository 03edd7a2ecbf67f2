public import GatewayModel
import Synchronization

/// The only exit for data from the house. It decides at the instant at which a value leaves, on the ledger of that
/// instant.
///
/// Safe to call from every thread. A decision takes a lock for two look-ups and does no I/O.
public final class ConsentGate: Sendable {
    /// Reason for keeping a value in the house.
    public enum Withheld: Error, Hashable, Sendable {
        case dataPolicyNotAccepted(PersonID)
        case automatedSOSNotAccepted(PersonID)
        case homeDashboardNotAccepted(PersonID)
        /// No person has accepted anything: not even the existence of the box is disclosed.
        case nothingAccepted
        /// The grant for this value is not in force.
        case notGranted(PersonID)
        /// The runner is in no such run, or has left it.
        case notEnrolled(RunID, Bib)
        /// Wrong function: an emergency leaves only through `discloseInEmergency`, data for a third party only through
        /// `clearShare`, all else only through `clear`.
        case wrongPath
    }

    private let ledger: Mutex<ConsentLedger>
    private let enrolments = Mutex(Enrolments())
    /// Grants that have expired by an untrusted clock. They release no data, even if the clock is set back, until a
    /// trusted clock has been checked.
    private let suspended = Mutex<Set<LedgerSequence>>([])

    public init(ledger: ConsentLedger) {
        self.ledger = Mutex(ledger)
    }

    /// Clears a value that leaves with a person's ordinary consent.
    public func clear<Value>(_ value: Value) throws(Withheld) -> Cleared<Value> {
        let enrolments = enrolments.withLock { $0 }
        let withheld: Withheld? = ledger.withLock { ledger in
            switch value.disclosure {
            case .readings(let person, _), .severalReadings(let person, _):
                ledger.holds(.dataPolicy, for: person) ? nil : .dataPolicyNotAccepted(person)
            case .gateway:
                ledger.isAnythingAccepted || !enrolments.isEmpty ? nil : .nothingAccepted
            case .household(let persons):
                if let person = persons.first(where: { !ledger.holds(.dataPolicy, for: $0) }) {
                    .dataPolicyNotAccepted(person)
                } else {
                    ledger.isAnythingAccepted || !enrolments.isEmpty ? nil : .nothingAccepted
                }
            case .notice(let person):
                // It says that nobody watches: news for the helpers and carers.
                ledger.holds(.automatedSOS, for: person) ? nil : .automatedSOSNotAccepted(person)
            case .question(let person):
                // Without the policy no data can be asked for.
                ledger.holds(.dataPolicy, for: person) ? nil : .dataPolicyNotAccepted(person)
            case .receipt:
                ledger.wasAnythingAccepted || enrolments.wereAny ? nil : .nothingAccepted
            case .runner(let run, let bib):
                enrolments.contains(bib, in: run) ? nil : .notEnrolled(run, bib)
            case .dashboard(let persons):
                if let person = persons.first(where: { !ledger.holds(.homeDashboard, for: $0) }) {
                    .homeDashboardNotAccepted(person)
                } else {
                    ledger.holds(.homeDashboard) ? nil : .nothingAccepted
                }
            case .dashboardEmptied, .runnerLeft: nil
            case .emergency, .emergencyOver, .share:
                .wrongPath
            }
        }
        if let withheld { throw withheld }
        return Cleared(value)
    }

    /// Returns the copies of a value for third parties at this instant: one for each grant that covers it, limited to the
    /// first grant of each party.
    public func clearShares<Value: Shareable>(of value: Value, at wall: WallTime) -> [Cleared<Shared<Value>>] {
        let grants = ledger.withLock { $0.sharing(of: value, at: wall) }
        guard !grants.isEmpty else { return [] }
        let suspended = suspended.withLock { $0 }
        var served: Set<PartyID> = []
        return grants.filter { !suspended.contains($0.epoch) && served.insert($0.party.id).inserted }.map {
            Cleared(Shared(value, by: $0))
        }
    }

    /// Clears a value for a third party, only while its own grant is in force. Values that waited for an earlier grant
    /// stay, even if the same request was granted again since.
    public func clearShare<Value>(_ value: Value, at wall: WallTime) throws(Withheld) -> Cleared<Value> {
        guard case .share(_, let person, _, let epoch) = value.disclosure else { throw .wrongPath }
        let isOpen = grant(giving: value.disclosure)?.isOpen(at: wall) ?? false
        guard isOpen, !suspended.withLock({ $0.contains(epoch) }) else { throw .notGranted(person) }
        return Cleared(value)
    }

    /// Returns whether a grant in force gives the data to its third party, regardless of the time.
    public func isGranted(_ disclosure: Disclosure) -> Bool { grant(giving: disclosure) != nil }

    /// Returns whether the grant has expired by an untrusted clock, and no trusted clock has been checked since.
    public func isSuspended(_ disclosure: Disclosure) -> Bool {
        guard case .share(_, _, _, let epoch) = disclosure else { return false }
        return suspended.withLock { $0.contains(epoch) }
    }

    /// Returns the present sealing key for a third party's copies; nil if the party has none, or nothing is granted.
    public func sealingKey(for disclosure: Disclosure) -> ThirdParty.SealingKey? {
        grant(giving: disclosure)?.party.sealingKey
    }

    /// Returns the request that the grant of a third party's copies accepted; nil if nothing is granted.
    public func request(answeredBy disclosure: Disclosure) -> RequestID? {
        grant(giving: disclosure)?.request.id
    }

    private func grant(giving disclosure: Disclosure) -> Grant? {
        guard case .share(let party, let person, let kind, let epoch) = disclosure else { return nil }
        return ledger.withLock { ledger -> Grant? in
            guard let grant = ledger.grant(epoch), grant.party.id == party, grant.request.person == person,
                grant.request.kinds.contains(kind), ledger.holds(.dataPolicy, for: person)
            else { return nil }
            return grant
        }
    }

    /// Clears an emergency of a person with AutomatedSOS in force, or the message that an emergency is over. That
    /// message goes to recipients that know of the emergency, regardless of later changes of the terms. Each use is
    /// audited under its own kind.
    ///
    /// - Parameter channel: channel of help that gets it; nil for a message that leaves the outbox.
    public func discloseInEmergency<Value>(
        _ value: Value, message: MessageID, to channel: ChannelID? = nil, at wall: WallTime
    ) throws(Withheld) -> Cleared<Value> {
        let (person, what): (PersonID, EmergencyDisclosure.What)
        switch value.disclosure {
        case .emergency(let someone): (person, what) = (someone, .emergency)
        case .emergencyOver(let someone): (person, what) = (someone, .itsEnd)
        case .notice, .question, .readings, .severalReadings, .gateway, .household, .share, .receipt, .runner,
            .runnerLeft, .dashboard, .dashboardEmptied:
            throw .wrongPath
        }
        let isAllowed = ledger.withLock { ledger in
            // A call that is not taken back sends help to a person without need of it.
            guard what == .itsEnd || ledger.holds(.automatedSOS, for: person) else { return false }
            ledger.audit.note(
                EmergencyDisclosure(person: person, what: what, message: message, channel: channel, at: wall))
            return true
        }
        guard isAllowed else { throw .automatedSOSNotAccepted(person) }
        return Cleared(value)
    }

    /// Whether any data may leave: a person has accepted a policy that releases data, or takes part in a run.
    public var isAnythingAccepted: Bool {
        enrolments.withLock { !$0.isEmpty } || ledger.withLock(\.isAnythingAccepted)
    }

    /// Replaces all enrolments. Waiting messages of other runners may not leave any more. Callable from any thread. The
    /// first call comes before the outbox starts, because the outbox asks about its unsent messages at once.
    public func enrol(_ enrolled: Enrolments) {
        enrolments.withLock { $0.replace(by: enrolled) }
    }

    public func holds(_ subject: ConsentSubject, for person: PersonID) -> Bool {
        ledger.withLock { $0.holds(subject, for: person) }
    }

    /// Returns whether any person has accepted the policy.
    public func holds(_ subject: ConsentSubject) -> Bool { ledger.withLock { $0.holds(subject) } }

    /// Records a decision.
    /// - Returns: the new entries; empty if the decision changes nothing.
    public func record(
        _ decision: ConsentDecision
    ) throws(ConsentLedger.Refusal) -> [ConsentEntry] {
        // Mutex.withLock rethrows untyped; the result carries the type through.
        try ledger.withLock { ledger -> Result<[ConsentEntry], ConsentLedger.Refusal> in
            do throws(ConsentLedger.Refusal) {
                return .success(try ledger.record(decision))
            } catch {
                return .failure(error)
            }
        }.get()
    }

    /// Applies changed settings: persons, their deciders, and the acceptances in the file.
    /// - Returns: the new entries.
    public func follow(
        settings accepted: [PersonID: Set<ConsentSubject>], deciders: [PersonID: Deciders], at wall: WallTime
    ) -> [ConsentEntry] {
        ledger.withLock { ledger in
            ledger.follow(persons: Set(accepted.keys), deciders: deciders)
            return ledger.follow(settings: accepted, at: wall)
        }
    }

    /// Whether a person has to repeat a decision that was lost with a damaged ledger.
    public var awaitsNewWord: Bool { ledger.withLock(\.awaitsNewWord) }

    /// Copy of the present ledger.
    public var snapshot: ConsentLedger { ledger.withLock { $0 } }

    public var emergencies: [EmergencyDisclosure] { ledger.withLock(\.emergencies) }

    /// Adds the emergency disclosures of earlier runs to the audit.
    public func recall(_ earlier: [EmergencyDisclosure]) { ledger.withLock { $0.audit.recall(earlier) } }

    /// Returns the disclosures to channels of help since the last call, to be written to the disk.
    public func takeUnwrittenEmergencies() -> [EmergencyDisclosure] {
        ledger.withLock { $0.audit.takeUnwritten() }
    }

    /// Whether a receipt may leave: something was accepted in this house once.
    public var mayAnswer: Bool {
        ledger.withLock(\.wasAnythingAccepted) || enrolments.withLock(\.wereAny)
    }

    /// Returns whether this name may decide for the person by these means.
    public func mayDecide(for person: PersonID, by name: String, means: ConsentMeans) -> Bool {
        ledger.withLock { $0.mayDecide(for: person, by: name, means: means) }
    }

    /// Returns the requests whose time to answer is over. The caller's clock is trusted.
    public func unanswered(at wall: WallTime) -> [DataRequest] {
        ledger.withLock { $0.unanswered(at: wall) }
    }

    /// Returns expired grants without an entry for their end.
    /// - Parameter isTimeSure: whether the clock is trusted. With an untrusted clock, expired grants are suspended
    ///   instead of returned.
    public func due(at wall: WallTime, isTimeSure: Bool = true) -> [Grant] {
        let over = ledger.withLock { $0.due(at: wall) }
        suspended.withLock { suspended in
            if isTimeSure { suspended = [] } else { suspended.formUnion(over.map(\.epoch)) }
        }
        return isTimeSure ? over : []
    }
}
