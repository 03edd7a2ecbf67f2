/// Value of one item of a person's profile, as it is shared.
public struct ProfileDatum: Hashable, Sendable {
    public enum Value: Hashable, Sendable {
        /// Nil where the person does not tell it.
        case text(String?)
        case notes([String])
        case contacts([PersonProfile.Contact])
    }

    public let person: PersonID
    public let item: ProfileItem
    public let value: Value
    /// When the gateway found the value.
    public let time: WallTime

    public init(_ item: ProfileItem, of profile: PersonProfile, at time: WallTime) {
        (person, self.item, self.time) = (profile.id, item, time)
        value =
            switch item {
            case .notes: .notes(profile.medicalNotes)
            case .contacts: .contacts(profile.contacts)
            case .name, .birthDate, .gender, .height, .telephone, .fiscalCode, .nationalID:
                .text(profile.text(of: item))
            }
    }
}
