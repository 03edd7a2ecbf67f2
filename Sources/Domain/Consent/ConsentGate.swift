public import GatewayModel
import Synchronization

/// The one way out of the house: decides at the instant a value leaves, on the ledger of that instant.
///
/// Safe to call from every thread; a decision takes a lock for two look-ups and does no I/O.
public final class ConsentGate: Sendable {
    /// Why a value stays in the house.
    public enum Withheld: Error, Hashable, Sendable {
        case dataPolicyNotAccepted(PersonID)
        case automatedSOSNotAccepted(PersonID)
        case homeDashboardNotAccepted(PersonID)
        /// Nobody has accepted anything: not even that the box exists is said.
        case nothingAccepted
        /// The grant by which it was to go is not in force.
        case notGranted(PersonID)
        /// The runner is in no such run, or has left it.
        case notEnrolled(RunID, Bib)
        /// An emergency leaves only through `discloseInEmergency`, what is a third party's only through
        /// `clearShare`, anything else only through `clear`.
        case wrongPath
    }

    private let ledger: Mutex<ConsentLedger>
    private let enrolments = Mutex(Enrolments())
    /// Grants whose time was over by a clock that nobody vouches for: nothing goes by them, though it be set back,
    /// until one that is believed has spoken.
    private let suspended = Mutex<Set<LedgerSequence>>([])

    public init(ledger: ConsentLedger) {
        self.ledger = Mutex(ledger)
    }

    /// Clears what leaves with a person's ordinary consent.
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
            case .dashboardEmptied: nil
            case .emergency, .emergencyOver, .share:
                .wrongPath
            }
        }
        if let withheld { throw withheld }
        return Cleared(value)
    }

    /// What a reading gives to third parties at this instant: one copy for each grant that covers it, the first of
    /// each party.
    public func clearShares(of reading: Reading, at wall: WallTime) -> [Cleared<SharedReading>] {
        let grants = ledger.withLock { $0.sharing(of: reading, at: wall) }
        guard !grants.isEmpty else { return [] }
        let suspended = suspended.withLock { $0 }
        var served: Set<PartyID> = []
        return grants.filter { !suspended.contains($0.epoch) && served.insert($0.party.id).inserted }.map {
            Cleared(SharedReading(reading, by: $0))
        }
    }

    /// Clears what leaves for a third party: only while that very grant is in force. What waited for an earlier one
    /// stays, though the same was granted again since.
    public func clearShare<Value>(_ value: Value, at wall: WallTime) throws(Withheld) -> Cleared<Value> {
        guard case .share(_, let person, _, let epoch) = value.disclosure else { throw .wrongPath }
        let isOpen = grant(giving: value.disclosure)?.isOpen(at: wall) ?? false
        guard isOpen, !suspended.withLock({ $0.contains(epoch) }) else { throw .notGranted(person) }
        return Cleared(value)
    }

    /// Whether a grant that is in force gives it to its third party, whatever the time is.
    public func isGranted(_ disclosure: Disclosure) -> Bool { grant(giving: disclosure) != nil }

    /// Whether the grant seems over by a clock that was not believed, and nobody has looked again by one that is.
    public func isSuspended(_ disclosure: Disclosure) -> Bool {
        guard case .share(_, _, _, let epoch) = disclosure else { return false }
        return suspended.withLock { $0.contains(epoch) }
    }

    /// The key to which a third party's copies are sealed now; nil where it has none, or nothing is granted.
    public func sealingKey(for disclosure: Disclosure) -> ThirdParty.SealingKey? {
        grant(giving: disclosure)?.party.sealingKey
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

    /// The second way out: an emergency of a person whose AutomatedSOS terms are in force, and the word to those
    /// who know of one that it is over, whatever has become of the terms since. Audited, each as what it is.
    public func discloseInEmergency<Value>(
        _ value: Value, message: MessageID, at wall: WallTime
    ) throws(Withheld) -> Cleared<Value> {
        let (person, what): (PersonID, EmergencyDisclosure.What)
        switch value.disclosure {
        case .emergency(let someone): (person, what) = (someone, .emergency)
        case .emergencyOver(let someone): (person, what) = (someone, .itsEnd)
        case .readings, .severalReadings, .gateway, .household, .share, .receipt, .runner, .dashboard,
            .dashboardEmptied:
            throw .wrongPath
        }
        let isAllowed = ledger.withLock { ledger in
            // A call that was made and is not taken back sends help to somebody who needs none.
            guard what == .itsEnd || ledger.holds(.automatedSOS, for: person) else { return false }
            ledger.audit.note(EmergencyDisclosure(person: person, what: what, message: message, at: wall))
            return true
        }
        guard isAllowed else { throw .automatedSOSNotAccepted(person) }
        return Cleared(value)
    }

    /// Whether anything may leave at all: somebody has accepted something that leaves the house, or runs.
    public var isAnythingAccepted: Bool {
        enrolments.withLock { !$0.isEmpty } || ledger.withLock(\.isAnythingAccepted)
    }

    /// Who is in which run from now on, all of them; what waits for others may not leave any more. From any thread, and
    /// before the outbox starts: what it finds unsent is asked about at once.
    public func enrol(_ enrolled: Enrolments) {
        enrolments.withLock { $0.replace(by: enrolled) }
    }

    public func holds(_ subject: ConsentSubject, for person: PersonID) -> Bool {
        ledger.withLock { $0.holds(subject, for: person) }
    }

    /// Whether anyone has accepted it.
    public func holds(_ subject: ConsentSubject) -> Bool { ledger.withLock { $0.holds(subject) } }

    /// - Returns: the entries made; none where it changes nothing.
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

    /// The settings have changed: persons, their deciders, and the acceptances in the file.
    /// - Returns: the entries made.
    public func follow(
        settings accepted: [PersonID: Set<ConsentSubject>], deciders: [PersonID: Deciders], at wall: WallTime
    ) -> [ConsentEntry] {
        ledger.withLock { ledger in
            ledger.follow(persons: Set(accepted.keys), deciders: deciders)
            return ledger.follow(settings: accepted, at: wall)
        }
    }

    /// Whether somebody has still to say anew what was lost with a damaged ledger.
    public var awaitsNewWord: Bool { ledger.withLock(\.awaitsNewWord) }

    /// The ledger as of now; a copy.
    public var snapshot: ConsentLedger { ledger.withLock { $0 } }

    public var emergencies: [EmergencyDisclosure] { ledger.withLock(\.emergencies) }

    /// Grants whose time is over and that are not written down as ended yet.
    /// - Parameter isTimeSure: the clock is believed. By one that is not, nothing is ended: what seems over is
    ///   suspended.
    public func due(at wall: WallTime, isTimeSure: Bool = true) -> [Grant] {
        let over = ledger.withLock { $0.due(at: wall) }
        suspended.withLock { suspended in
            if isTimeSure { suspended = [] } else { suspended.formUnion(over.map(\.epoch)) }
        }
        return isTimeSure ? over : []
    }
}
