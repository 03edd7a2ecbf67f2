public import GatewayModel

/// What a message gives away, and of whom. The gate decides on this and on nothing else.
public enum Disclosure: Hashable, Sendable {
    /// A person's readings of one kind, for the cloud (Data4Help).
    case readings(of: PersonID, kind: QuantityKind)
    /// A person's readings of several kinds in one message, for the cloud. Made of cleared readings when they leave, and
    /// never stored.
    case severalReadings(of: PersonID, kinds: Set<QuantityKind>)
    /// A person's emergency, for whoever sends help (AutomatedSOS).
    case emergency(of: PersonID)
    /// That a person's emergency is over, for those who have acknowledged that they know of it: it ends what the
    /// terms allowed, so it leaves after their withdrawal as well.
    case emergencyOver(of: PersonID)
    /// The box itself: online, version, health codes. Says of no person more than that they live here.
    case gateway
    /// The box, and how lately these persons' wearables were heard: each of them must have agreed.
    case household(Set<PersonID>)
    /// A person's readings of one kind, for one third party, by one grant and by no other.
    case share(with: PartyID, of: PersonID, kind: QuantityKind, epoch: LedgerSequence)
    /// The word to the cloud what became of its command, or that a grant has ended: it says no more than that, and
    /// leaves after a withdrawal as well. Nil where it is about nobody.
    case receipt(of: PersonID?)
    /// Where a runner was and when, in a run they are enrolled in: its passings and its positions.
    case runner(RunID, Bib)
    /// What these persons' wearables measure now, for the home's own dashboard; of nobody: that the box is there
    /// to show it.
    case dashboard(Set<PersonID>)
    /// Nothing in the place of something that lies at the dashboard's broker: takes back, and tells no more than
    /// whoever gave the place knows.
    case dashboardEmptied
}

extension Disclosure {
    /// Whether it gives away readings of this person, to whomever.
    public func tellsReadings(of person: PersonID) -> Bool {
        switch self {
        case .readings(let someone, _), .severalReadings(let someone, _), .share(_, let someone, _, _):
            someone == person
        case .dashboard(let persons): persons.contains(person)
        case .emergency, .emergencyOver, .gateway, .household, .receipt, .runner, .dashboardEmptied: false
        }
    }
}

extension Disclosure {
    /// Returns the disclosure of one message that holds all of these.
    ///
    /// - Returns: nil where one message must not hold them: readings of two persons, for two recipients or by two
    ///   grants, and anything that is no reading.
    public static func joined(_ parts: [Disclosure]) -> Disclosure? {
        guard let first = parts.first, first.series != nil else { return nil }
        if parts.allSatisfy({ $0 == first }) { return first }
        guard case .readings(let person, _) = first else { return nil }
        var kinds: Set<QuantityKind> = []
        for part in parts {
            guard case .readings(person, let kind) = part else { return nil }
            kinds.insert(kind)
        }
        return .severalReadings(of: person, kinds: kinds)
    }
}

/// Something that can leave the house, and knows what it would give away.
public protocol Disclosable: Sendable {
    var disclosure: Disclosure { get }
}

/// A value that passed the consent gate a moment ago.
///
/// Only `ConsentGate` makes one: its initialiser belongs to this module, so whatever takes a
/// `Cleared` cannot be handed anything that was not asked about. It is a decision of one instant:
/// what waits is cleared again when it leaves.
public struct Cleared<Value: Disclosable>: Sendable {
    public let value: Value

    init(_ value: Value) {
        self.value = value
    }

    /// The same in another form, for the way it goes: still what was asked about.
    ///
    /// - Returns: nil where `form` would give away something else.
    public func reshaped<Form: Disclosable>(_ form: (Value) -> Form) -> Cleared<Form>? {
        let reshaped = form(value)
        return reshaped.disclosure == value.disclosure ? Cleared<Form>(reshaped) : nil
    }

    /// Several values, each of which passed the gate a moment ago, as one message about one person for one recipient.
    ///
    /// - Returns: nil where `form` makes none, or one that gives away something else than all of them.
    public static func gathered<Part>(
        _ parts: [Cleared<Part>], as form: ([Part]) -> Value?
    ) -> Cleared<Value>? {
        let values = parts.map(\.value)
        guard let disclosure = Disclosure.joined(values.map(\.disclosure)), let message = form(values),
            message.disclosure == disclosure
        else { return nil }
        return Cleared<Value>(message)
    }
}

extension Reading: Disclosable {
    public var disclosure: Disclosure { .readings(of: person, kind: quantity.kind) }
}
