package import GatewayModel

/// Session of the console: a paired device with its role. The console asks for it.
package struct ControlSession: Hashable, Sendable {
    package enum Role: String, CaseIterable, Codable, Sendable {
        /// The screen of the room.
        case room
        /// A person of the house, on a device of their own.
        case person
        case family, carer
        case installer
        /// Organiser of a race.
        case organiser
        /// Any visitor of the pages of a race.
        case anyone = "public"

        /// It belongs to one person, and is paired for that person.
        package var isPersonal: Bool {
            switch self {
            case .person, .family, .carer: true
            case .room, .installer, .organiser, .anyone: false
            }
        }
    }

    /// Maximum number of characters of a name.
    package static let nameLength = 100

    package let role: Role
    /// Person of the pairing; nil for a room of several persons, and for roles that belong to nobody.
    package let person: PersonID?
    /// Name of the paired device or of its owner, for records.
    package let name: String
    /// Names the paired device among others of the same name; nil where the console does not say it.
    package let id: String?

    /// Errors: a role of a person without the person, or a name that is empty, too long or has control characters.
    package init(role: Role, person: PersonID?, name: String) throws(ControlError) {
        if role.isPersonal, person == nil {
            throw ControlError(
                "session.person: missing, expected the person of a session of the role \(role.rawValue); pair it again"
            )
        }
        let isPlain = name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard isPlain, (1...Self.nameLength).contains(name.count) else {
            throw ControlError(
                "session.name: saw '\(Shown.text(name))', expected 1 to \(Self.nameLength) characters without control "
                    + "characters; pair it again under another name")
        }
        (self.role, self.person, self.name, self.id) = (role, person, name, nil)
    }

    private init(_ session: ControlSession, id: String) {
        (role, person, name, self.id) = (session.role, session.person, session.name, id)
    }

    /// The same session under the id of its paired device.
    package func identified(by id: String) -> ControlSession { ControlSession(self, id: id) }

    /// Means of its acts, for the record.
    package var isScreen: Bool { role == .room }
}

/// A session on the wire.
struct SessionRecord: Codable, Hashable, Sendable {
    let role: String?
    let person: String?
    let name: String?
    let id: String?

    init(_ session: ControlSession) {
        (role, person, name) = (session.role.rawValue, session.person?.text, session.name)
        id = session.id
    }

    var session: ControlSession {
        get throws(ControlError) {
            let session = try ControlSession(
                role: try Self.role.value(role) { ControlSession.Role(rawValue: $0) },
                person: try Self.person.optionalID(person), name: try Self.name.text(name))
            guard let id else { return session }
            return session.identified(by: Shown.text(id))
        }
    }

    private static let role = ControlField(
        "session.role",
        expected: "one of " + ControlSession.Role.allCases.map(\.rawValue).joined(separator: ", "),
        remedy: "pair the device again")
    private static let person = ControlField(
        "session.person", expected: PersonID.form, remedy: "pair the device again")
    private static let name = ControlField(
        "session.name", expected: "the name of the session", remedy: "pair the device again")
}
