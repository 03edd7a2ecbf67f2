package import Consent
package import GatewayModel
package import SOSLocal

/// Request to the running gateway, by the command line or by the console. A verb is one type: its name, its fields, and the
/// roles that may use it.
///
/// On the wire it is one JSON object on one line: the name in `verb`, and the fields beside it.
package protocol ControlVerb: Codable, Hashable, Sendable {
    /// Data of its answers.
    associatedtype Document: ControlDocument = NoDocument
    /// Name on the wire. A released name never changes: an older command line is still understood.
    static var verb: String { get }
    /// Extent to which each role may use it. A role that is missing may not.
    static var rights: Rights { get }
    /// Person, alarm or thing that it is about, as far as rights depend on it.
    var scope: ControlScope { get }
    /// The same request about this person, where it named nobody.
    func about(_ person: PersonID) -> Self
    /// The same request by this caller.
    func named(by caller: Caller) -> Self
}

extension ControlVerb {
    package var scope: ControlScope { ControlScope() }
    package func about(_ person: PersonID) -> Self { self }
    package func named(by caller: Caller) -> Self { self }
}

/// Verb that keeps its caller, for the record.
package protocol ControlAct: ControlVerb {
    var caller: Caller { get set }
}

extension ControlAct {
    package func named(by caller: Caller) -> Self {
        var act = self
        act.caller = caller
        return act
    }
}

/// Verb with the fields of several verbs.
package protocol SharedVerb: ControlAct {
    associatedtype Fields: VerbFields
    var fields: Fields { get set }
    init(_ fields: Fields)
}

/// Fields that several verbs have.
package protocol VerbFields: Codable, Hashable, Sendable {
    var caller: Caller { get set }
    var scope: ControlScope { get }
    func about(_ person: PersonID) -> Self
}

extension VerbFields {
    package func about(_ person: PersonID) -> Self { self }
}

extension SharedVerb {
    package init(from decoder: any Decoder) throws { self.init(try Fields(from: decoder)) }
    package func encode(to encoder: any Encoder) throws { try fields.encode(to: encoder) }

    package var caller: Caller {
        get { fields.caller }
        set { fields.caller = newValue }
    }

    package var scope: ControlScope { fields.scope }
    package func about(_ person: PersonID) -> Self { Self(fields.about(person)) }
}

/// The verbs. Each part of the product adds its own.
package enum Verb {}

/// Person, alarm or thing that a request is about, as far as the rights of a session depend on it.
package struct ControlScope {
    /// Person whom it names; nil where it names none, or is about no person.
    package var person: PersonID?
    /// Alarm that it ends or takes.
    package var alarm: AlarmID?
    /// Alarm that a call for help follows. It may be forgotten.
    package var earlierAlarm: AlarmID?
    /// Wearable that has to be the person's.
    package var wearable: DeviceID?
    /// Request of a third party that has to be the person's.
    package var request: RequestID?
    /// Request of a third party that is decided.
    package var decided: RequestID?
    /// Digits that came with a decision.
    package var pin: String?
    package var hasReason = false
    /// It asks for positions, which are no readings.
    package var isOfPositions = false
    package var namesRunners = false

    package init(person: PersonID? = nil) { self.person = person }
}

/// Name of the caller for the record, without control characters.
package struct Caller: Hashable, Sendable {
    package let name: String
    /// Interface of the act, for the record.
    package let means: PersonAct.Means
    /// Paired device of the caller; nil for a caller without a session.
    package let session: String?
    /// Name that is compared with the deciders of the settings.
    package internal(set) var decider: String

    /// Means of a decision about data.
    package var consentMeans: ConsentMeans { means == .commandLine ? .commandLine : .console }

    package init(_ session: ControlSession) {
        (name, means) = (session.name, session.isScreen ? .screen : .page)
        self.session = session.id
        // A session of the person decides for the person under each name.
        decider = session.role == .person ? session.person?.text ?? session.name : session.name
    }

    /// - Parameter given: the name that the caller gave, if any.
    package init(_ given: String?) {
        let plain = (given ?? "").unicodeScalars.filter { $0.properties.generalCategory != .control }
        let name = String(String.UnicodeScalarView(plain).prefix(200))
        self.name = name.isEmpty ? "someone in the house" : name
        (means, decider, session) = (.commandLine, self.name, nil)
    }
}
