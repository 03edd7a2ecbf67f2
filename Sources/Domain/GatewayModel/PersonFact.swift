/// Fact about a person that lasts: an item of the profile, or the limits of the alarms. It is shared at the grant, and after
/// each change.
public struct PersonFact: Hashable, Sendable {
    public enum Value: Hashable, Sendable {
        /// Nil where the person does not tell it.
        case text(String?)
        case notes([String])
        case contacts([PersonProfile.Contact])
        case limits([AlarmLimits])
    }

    public let person: PersonID
    public let kind: DataKind
    public let value: Value
    /// When the gateway found the value.
    public let time: WallTime

    public init(_ item: ProfileItem, of profile: PersonProfile, at time: WallTime) {
        (person, kind, self.time) = (profile.id, .profile(item), time)
        value =
            switch item {
            case .notes: .notes(profile.medicalNotes)
            case .contacts: .contacts(profile.contacts)
            case .name, .birthDate, .gender, .height, .telephone, .fiscalCode, .nationalID:
                .text(profile.text(of: item))
            }
    }

    public init(_ limits: [AlarmLimits], of person: PersonID, at time: WallTime) {
        (self.person, kind, value, self.time) = (person, .limits, .limits(limits), time)
    }
}

/// Limits in force for one kind of reading of a person at rest, in its unit; a missing one is not judged.
public struct AlarmLimits: Hashable, Sendable {
    public let kind: QuantityKind
    /// Limits of an emergency.
    public var low, high: Double?
    public var warningLow, warningHigh: Double?

    public init(_ kind: QuantityKind) { self.kind = kind }
}
