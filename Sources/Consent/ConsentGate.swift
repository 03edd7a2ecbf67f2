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
        /// An emergency leaves only through `discloseInEmergency`, anything else only through `clear`.
        case wrongPath
    }

    private let ledger: Mutex<ConsentLedger>

    public init(ledger: ConsentLedger) {
        self.ledger = Mutex(ledger)
    }

    /// Clears what leaves with a person's ordinary consent.
    public func clear<Value>(_ value: Value) throws(Withheld) -> Cleared<Value> {
        let withheld: Withheld? = ledger.withLock { ledger in
            switch value.disclosure {
            case .readings(let person, _):
                ledger.holds(.dataPolicy, for: person) ? nil : .dataPolicyNotAccepted(person)
            case .gateway:
                ledger.isAnythingAccepted ? nil : .nothingAccepted
            case .household(let persons):
                if let person = persons.first(where: { !ledger.holds(.dataPolicy, for: $0) }) {
                    .dataPolicyNotAccepted(person)
                } else {
                    ledger.isAnythingAccepted ? nil : .nothingAccepted
                }
            case .dashboard(let persons):
                if let person = persons.first(where: { !ledger.holds(.homeDashboard, for: $0) }) {
                    .homeDashboardNotAccepted(person)
                } else {
                    ledger.holds(.homeDashboard) ? nil : .nothingAccepted
                }
            case .dashboardEmptied: nil
            case .emergency, .emergencyOver:
                .wrongPath
            }
        }
        if let withheld { throw withheld }
        return Cleared(value)
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
        case .readings, .gateway, .household, .dashboard, .dashboardEmptied: throw .wrongPath
        }
        let isAllowed = ledger.withLock { ledger in
            // A call that was made and is not taken back sends help to somebody who needs none.
            guard what == .itsEnd || ledger.holds(.automatedSOS, for: person) else { return false }
            ledger.audit(EmergencyDisclosure(person: person, what: what, message: message, at: wall))
            return true
        }
        guard isAllowed else { throw .automatedSOSNotAccepted(person) }
        return Cleared(value)
    }

    public var isAnythingAccepted: Bool { ledger.withLock(\.isAnythingAccepted) }

    public func holds(_ subject: ConsentSubject, for person: PersonID) -> Bool {
        ledger.withLock { $0.holds(subject, for: person) }
    }

    /// Whether anyone has accepted it.
    public func holds(_ subject: ConsentSubject) -> Bool { ledger.withLock { $0.holds(subject) } }

    /// - Returns: the entries made; none where it changes nothing.
    public func record(
        _ decision: ConsentDecision
    ) throws(ConsentLedger.Refusal) -> [ConsentDecision] {
        // Mutex.withLock rethrows untyped; the result carries the type through.
        try ledger.withLock { ledger -> Result<[ConsentDecision], ConsentLedger.Refusal> in
            do throws(ConsentLedger.Refusal) {
                return .success(try ledger.record(decision))
            } catch {
                return .failure(error)
            }
        }.get()
    }

    public var decisions: [ConsentDecision] { ledger.withLock(\.decisions) }
    public var emergencies: [EmergencyDisclosure] { ledger.withLock(\.emergencies) }
}
