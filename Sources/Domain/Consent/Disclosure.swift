public import GatewayModel

/// Data that a message discloses, and the persons concerned. The gate decides on this alone.
public enum Disclosure: Hashable, Sendable {
    /// A person's readings of one kind, for the cloud (Data4Help).
    case readings(of: PersonID, kind: QuantityKind)
    /// A person's readings of several kinds in one message, for the cloud. Built from cleared readings when they leave,
    /// and never stored.
    case severalReadings(of: PersonID, kinds: Set<QuantityKind>)
    /// A person's emergency, for helpers (AutomatedSOS).
    case emergency(of: PersonID)
    /// End of a person's emergency, for recipients that have acknowledged the emergency. It ends the disclosure that
    /// the terms allowed, so it leaves after their withdrawal as well.
    case emergencyOver(of: PersonID)
    /// News about a person that is no emergency, for carers and contacts: that nobody watches over them, or that it is
    /// over (AutomatedSOS).
    case notice(of: PersonID)
    /// News for those who decide about consent with the person. It discloses that a decision waits.
    case question(of: PersonID)
    /// The box itself: online, version, health codes. About persons it discloses only that they live here.
    case gateway
    /// The box, and the times at which these persons' wearables were last received. Each of the persons must have
    /// agreed.
    case household(Set<PersonID>)
    /// A person's data of one kind, for one third party, by this grant only.
    case share(with: PartyID, of: PersonID, kind: DataKind, epoch: LedgerSequence)
    /// Report to the cloud of the result of its command, or of the end of a grant. It discloses nothing else, and
    /// leaves after a withdrawal as well. Nil if it concerns no person.
    case receipt(of: PersonID?)
    /// Places and times of a runner in a run with the runner's enrolment: passings and positions.
    case runner(RunID, Bib)
    /// That a runner is no longer in a run. It ends the disclosures that the enrolment allowed, so it leaves after the end
    /// of the enrolment.
    case runnerLeft(RunID, Bib)
    /// Present readings and states of these persons, for the home's own dashboard. Without persons: the state of the box.
    case dashboard(Set<PersonID>)
    /// Empty message that withdraws a stored message from the dashboard's broker. It discloses no more than the source
    /// of the topic knows already.
    case dashboardEmptied
}

extension Disclosure {
    /// Returns whether it discloses readings or other shared data of this person to any recipient.
    public func tellsReadings(of person: PersonID) -> Bool {
        switch self {
        case .readings(let someone, _), .severalReadings(let someone, _), .share(_, let someone, _, _):
            someone == person
        case .dashboard(let persons): persons.contains(person)
        case .emergency, .emergencyOver, .notice, .question, .gateway, .household, .receipt, .runner,
            .runnerLeft, .dashboardEmptied:
            false
        }
    }
}

extension Disclosure {
    /// Returns the disclosure of one message that holds all of these.
    ///
    /// - Returns: nil if one message must not hold them: readings of two persons, for two recipients or by two grants,
    ///   and other data than readings.
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

/// A value that can leave the house, with the data that it discloses.
public protocol Disclosable: Sendable {
    var disclosure: Disclosure { get }
}

/// A value that passed the consent gate a moment ago.
///
/// Only `ConsentGate` creates it: its initialiser belongs to this module, so a function with a `Cleared` parameter
/// accepts no unchecked value. It is a decision of one instant: a value that waits is cleared again when it leaves.
public struct Cleared<Value: Disclosable>: Sendable {
    public let value: Value

    init(_ value: Value) {
        self.value = value
    }

    /// Returns the value in another form for its transport.
    ///
    /// - Returns: nil if `form` would disclose other data.
    public func reshaped<Form: Disclosable>(_ form: (Value) -> Form) -> Cleared<Form>? {
        let reshaped = form(value)
        return reshaped.disclosure == value.disclosure ? Cleared<Form>(reshaped) : nil
    }

    /// Combines several cleared values into one message about one person for one recipient.
    ///
    /// - Returns: nil if `form` returns nil, or a message that does not disclose the same as all of them.
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

extension PersonNotice: Disclosable {
    public var disclosure: Disclosure { isForDeciders ? .question(of: person) : .notice(of: person) }
}

extension Reading: Disclosable {
    public var disclosure: Disclosure { .readings(of: person, kind: quantity.kind) }
}
